import { errorMeanings } from "../../src/contract/shared/error-meanings.ts";
import { type ErrorCode, errorCodes } from "../../src/contract/shared/errors.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { documentedErrors } from "./openapi-errors.ts";

const CODES = Object.keys(errorCodes) as ErrorCode[];

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rule = head.map(() => "---");
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Returns an operation's errors in order of precedence as a Markdown table: status, code, title, and what to do. */
export function errorTable(row: Operation): string {
  const lines = documentedErrors(row).map((code) => {
    const { status, title } = errorCodes[code];
    return [String(status), `\`${code}\``, title, errorMeanings[code]];
  });
  return `**Errors, the first that applies is answered:**\n\n${tableOf(["Status", "Code", "Title", "Meaning"], lines)}`;
}

function operationsWith(code: ErrorCode, rows: readonly Operation[]): string {
  const names = rows.filter((row) => documentedErrors(row).includes(code)).map((row) => row.name);
  return names.length === rows.length ? "every operation" : names.join(", ");
}

/** Returns every code that some operation answers, with its status and those operations, as a Markdown table. */
export function errorIndex(rows: readonly Operation[]): string {
  const lines = CODES.map((code) => [`\`${code}\``, String(errorCodes[code].status), operationsWith(code, rows)]);
  const used = lines.filter(([, , names]) => names !== "");
  return tableOf(["Code", "Status", "Operations"], used);
}
