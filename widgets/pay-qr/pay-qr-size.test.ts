import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** What a shop's page pays for `<pay-qr>` (widgets: Size), in bytes. */
const LIMIT = 18_000;

/** In a process of its own, because the test runner's environment makes vite choose the development build of Lit. */
function runModule(program: string): string {
  const env = { PATH: process.env.PATH, NODE_ENV: "production" };
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", env });
}

test("the script of <pay-qr> weighs at most 18 KB with all it needs, and creates no policy of Lit's own name", () => {
  const code = runModule(`
    import { buildWidget } from "./test/support/build-widget.ts";
    process.stdout.write(await buildWidget("pay-qr"));
  `);
  expect(code).toContain("pay-qr");
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(LIMIT);
  expect(code).not.toMatch(/createPolicy\(.lit-html/);
  expect(code).not.toMatch(/\bimport\s*[({"'`]/);
});

test("the element can be imported where there is no page", () => {
  const program = `
    import { PayQr } from "./widgets/pay-qr.ts";
    process.stdout.write(typeof PayQr);
  `;
  expect(runModule(program)).toBe("function");
});
