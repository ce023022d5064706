import { beforeAll, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();
let ana: Phone;

/** Runs before every page's own scripts: removes what Safari 16.4 has not. */
function forgetNewerThings(): void {
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
  const newer: readonly (readonly [object, readonly string[]])[] = [
    [Map, ["groupBy"]],
    [Object, ["groupBy"]],
    [Promise, ["withResolvers", "try"]],
    [Array, ["fromAsync"]],
    [URL, ["parse"]],
    [Set.prototype, ["union", "intersection", "difference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"]],
    [iterators, ["map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "find"]],
    [Uint8Array, ["fromBase64", "fromHex"]],
    [Uint8Array.prototype, ["toBase64", "toHex"]],
    [RegExp, ["escape"]],
    [Element.prototype, ["checkVisibility"]],
  ];
  for (const [thing, names] of newer) for (const name of names) Reflect.deleteProperty(thing, name);
}

beforeAll(async () => {
  ana = await fixture.newPhone({ language: "en" });
  await ana.context.addInitScript(forgetNewerThings);
});

it("the app works with what Safari 16.4 has: sign-in, paying, history, what arrives", async () => {
  await ana.continueAs("payer");
  const { reference, payload } = await fixture.api.makeQr({ amount: 3_000 });
  await ana.openCode(payload);
  expect(await ana.toConfirm()).toMatchObject({ reference });
  await ana.pay();
  expect((await ana.receipt()).title).toContain("Café La Candelaria");
  expect((await ana.movements("/history")).join("\n")).toContain("3,000");
  await ana.open("/profile");
  await ana.page.getByRole("heading", { name: ana.words.account.devices.title }).waitFor();
});

it("the elements work with what Safari 16.4 has, but for AbortSignal.any", async () => {
  const page = await ana.context.newPage();
  await page.goto(`${fixture.product.origin}/demo/`);
  await page.locator("pay-qr summary").click();
  await page.locator("pay-qr [part~=plate] svg").waitFor();
  await page.close();
});
