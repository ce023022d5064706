import type { ServiceContext } from "../service-context.ts";

/** What closing months works with: the service's, or that of a command at the terminal. */
export type ClosingContext = Pick<ServiceContext, "sql" | "ledger" | "clock" | "time" | "currency" | "clockWatch">;
