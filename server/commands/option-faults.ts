import type { Fault } from "../../src/contract/shared/errors.ts";
import { Name } from "../../src/contract/shared/names.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { faultsOf } from "../../src/contract/shared/validate.ts";
import { UsageError } from "./terminal-command.ts";

/** The terminal option for each field of a merchant's request. */
const OPTIONS: Readonly<Record<string, string>> = Object.freeze({
  name: "--name",
  user_id: "--user-id",
  nit: "--nit",
  phone: "--phone",
  origins: "--origin",
  open_amount_limit: "--open-amount-limit",
  webhook_url: "--webhook",
  kind: "--kind",
  retire: "--retire",
});

/** The hint shown where the address of a webhook or code endpoint is refused. */
export const PRIVATE_WEBHOOK =
  "To reach a private network or this machine, also over http, start Cupo and this command with CUPO_WEBHOOK_PRIVATE.";

/** Words the faults of a merchant's request as faults of terminal options, one per line. */
export function faultsText(faults: readonly Fault[]): string {
  return faults
    .map(({ pointer = "", detail }) => {
      const [, field = ""] = pointer.split("/");
      return `${OPTIONS[field] ?? field} ${detail}.`.trimStart();
    })
    .join("\n");
}

/** Throws {@link UsageError} for the text of a terminal option that is no name. */
export function checkName(option: string, text: string): void {
  const [fault] = faultsOf(Name, text);
  if (fault !== undefined) throw new UsageError(`--${option} ${fault.detail}.`);
}

/**
 * Throws {@link UsageError} for a body that does not fit the schema of the operation over HTTP, before any database is
 * opened.
 */
export function checkBody(row: Operation, body: object): void {
  const faults = row.body === undefined ? [] : faultsOf(row.body, body, row);
  if (faults.length > 0) throw new UsageError(faultsText(faults));
}
