import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { internalNames } from "./internal-names.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "cupo-names-"));
  for (const folder of ["widgets", "src"]) mkdirSync(join(root, folder));
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
});
afterAll(() => rmSync(root, { recursive: true }));

it("names are shortened only where nobody outside a script can know them", () => {
  writeFileSync(
    join(root, "src/wire.ts"),
    "/* Each lookAgain */ export interface Answer { expiresOnWire: number; is: 'askedOnWire' }",
  );
  writeFileSync(join(root, "widgets/x-events.ts"), "export interface PaidDetail { paidReference: string }");
  writeFileSync(
    join(root, "widgets/x.ts"),
    `interface Words { checkedHint: string; countLeft(seconds: number): string; textContent: string }
     interface Wire { expiresOnWire: number; askedOnWire: boolean }
     interface State { paidReference: string; askedByText: boolean; inMarkup: string }
     interface StartedSession { sessionOfMerchant: string }
     class Watch { startedOnce = false; #hidden = 1; lookAgain() { return this["askedByText"]; } }
     export class X extends SessionElement {
       setByPage = 1; protected abstract get drawnParts(): string;
       render() { return html\`<p .inMarkup=\${1}></p>\`; } }`,
  );
  expect(internalNames(root)).toEqual(["checkedHint", "countLeft", "drawnParts", "lookAgain", "startedOnce"]);
});

it("none of the elements' own properties, and nothing of the wire, is among the names that the build shortens", () => {
  const names = internalNames(resolve("."));
  expect(names).toContain("checkCodeHint");
  const kept = [
    "sessionUrl",
    "broker",
    "fetchSession",
    "publishableKey",
    "session",
    "payload",
    "expires_in",
    "restart",
  ];
  expect(names.filter((name) => kept.includes(name))).toEqual([]);
});
