import { describe, expect, it } from "vitest";
import { brokerContract } from "../../src/contract/broker/broker.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import { errorMeanings } from "../../src/contract/shared/error-meanings.ts";
import { type ErrorCode, errorCodes } from "../../src/contract/shared/errors.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { openApiOf } from "./openapi.ts";
import { documentedErrors } from "./openapi-errors.ts";

interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description: string }>>>>;
}

const contracts = [serviceContract, brokerContract].map((contract) => {
  const document = openApiOf({ contract, title: "T", version: "1", baseUrl: "/" }) as Document;
  return { rows: Object.values(contract) as Operation[], document };
});

/** The cells of every table line that has a code of ours, in the order of the text. */
function linesOf(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("| ") && line.includes("`"));
  return lines.map((line) => line.replace(/^\| | \|$/g, "").split(" | "));
}

describe.each(contracts)("a contract's error tables", ({ rows, document }) => {
  it.each(rows.map((row) => [row.name, row] as const))("list the errors of %s in order of precedence", (_name, row) => {
    const path = document.paths[row.path.replace(/:(\w+)/g, "{$1}")];
    const text = path?.[row.method.toLowerCase()]?.description ?? "";
    const expected = documentedErrors(row).map((code) => {
      const { status, title } = errorCodes[code];
      return [String(status), `\`${code}\``, title, errorMeanings[code]];
    });
    expect(linesOf(text)).toEqual(expected);
  });

  it("lead from each code that is used to its status and to every operation that answers it", () => {
    const lines = linesOf(document.info.description);
    const used = (Object.keys(errorCodes) as ErrorCode[]).filter((code) =>
      rows.some((row) => documentedErrors(row).includes(code)),
    );
    expect(lines.map(([code]) => code)).toEqual(used.map((code) => `\`${code}\``));
    for (const [code = "", status, names] of lines) {
      const plain = code.slice(1, -1) as ErrorCode;
      expect(status).toBe(String(errorCodes[plain].status));
      const answering = rows.filter((row) => documentedErrors(row).includes(plain)).map((row) => row.name);
      expect(names).toBe(answering.length === rows.length ? "every operation" : answering.join(", "));
    }
  });
});

it("every code says what it means in sentences of its own", () => {
  for (const [code, meaning] of Object.entries(errorMeanings)) {
    expect(meaning, code).toMatch(/^[`A-Z].*[.]$/);
    expect(meaning, code).not.toContain("|");
    expect(meaning, code).not.toBe(`${errorCodes[code as ErrorCode].title}.`);
  }
});
