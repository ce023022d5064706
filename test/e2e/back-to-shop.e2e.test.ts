import { expect, it } from "vitest";
import { createMerchantClient } from "../../src/cupo-client.ts";
import { words } from "../../src/language/es/app/approval.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();

/** Starts a session that leads back to the demo's shop, and returns its code and the address for each state. */
async function aSession() {
  const { demo, origin } = fixture.product;
  const merchant = createMerchantClient({ baseUrl: origin, serverKey: demo.merchant_keys.server_key });
  const body = { kind: "pay", amount: 2_500, origin, return_url: `${origin}/demo/?order=7` } as const;
  const { reference = "", session_id } = (await merchant.createSession({ body })).body;
  const { payload } = (await fixture.api.client.transactionQr({ query: { reference } })).body;
  const params = { session_id };
  return {
    payload,
    backTo: (state: string) => `${origin}/demo/?order=7&session_id=${session_id}&state=${state}`,
    withdraw: () => merchant.cancelSession({ params }),
    state: async () => (await merchant.sessionStatus({ params })).body.state,
  };
}

const link = ({ page }: Phone) => page.getByRole("link", { name: words.backToShop("Café La Candelaria"), exact: true });

it("whoever has paid goes back to the shop by a press, and by nothing else", async () => {
  const ana = await fixture.phoneOf("payer");
  const { payload, backTo } = await aSession();
  await ana.openCode(payload);
  await ana.toConfirm();
  await ana.pay();
  await ana.receipt();
  expect(await link(ana).getAttribute("href")).toBe(backTo("paid"));
  await picture(ana.page, "back-to-shop-paid");
  await link(ana).click();
  await ana.page.waitForURL(backTo("paid"));
});

it("whoever does not want to pay goes back too, and has paid nothing", async () => {
  const ana = await fixture.phoneOf("payer");
  const { payload, backTo, state } = await aSession();
  await ana.openCode(payload);
  await ana.toConfirm();
  await picture(ana.page, "back-to-shop-confirm");
  await link(ana).click();
  await ana.page.waitForURL(backTo("cancelled"));
  expect(await state()).toBe("unpaid");
});

it("a code that its shop withdrew leads back to the shop", async () => {
  const ana = await fixture.phoneOf("payer");
  const { payload, backTo, withdraw } = await aSession();
  await withdraw();
  ana.watch.allow(/status of 409 .*\/v1\/approvals\)$/);
  await ana.openCode(payload);
  await link(ana).waitFor();
  expect(await link(ana).getAttribute("href")).toBe(backTo("cancelled"));
  await picture(ana.page, "back-to-shop-withdrawn");
});
