import type { Fault } from "../../src/contract/errors.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { faultsOf } from "../../src/contract/validate.ts";
import { UsageError } from "./terminal-command.ts";

/** What a fault of a merchant's request is called at the terminal. */
const OPTIONS: Readonly<Record<string, string>> = Object.freeze({
  name: "--name",
  user_id: "--user-id",
  origins: "--origin",
  open_amount_limit: "--open-amount-limit",
  webhook_url: "--webhook",
  kind: "--kind",
  retire: "--retire",
});

/** Said where an address is refused to which messages are to be sent. */
export const PRIVATE_WEBHOOK =
  "To reach a private network or this machine, also over http, start Cupo and this command with CUPO_WEBHOOK_PRIVATE.";

/** The faults of a merchant's request in the words of the terminal, a line each. */
export function faultsText(faults: readonly Fault[]): string {
  return faults
    .map(({ pointer = "", detail }) => {
      const [, field = ""] = pointer.split("/");
      return `${OPTIONS[field] ?? field} ${detail}.`.trimStart();
    })
    .join("\n");
}

/** Refuses what the same operation over HTTP would refuse, before any database is looked for. */
export function checkBody(row: Operation, body: object): void {
  const faults = row.body === undefined ? [] : faultsOf(row.body, body, row);
  if (faults.length > 0) throw new UsageError(faultsText(faults));
}
