import type { ServiceContext } from "../shared/service-context.ts";

/** The dependencies of closing months: the service's, or those of a command at the terminal. */
export type ClosingContext = Pick<ServiceContext, "sql" | "ledger" | "clock" | "time" | "currency" | "clockWatch">;
