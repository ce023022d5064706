import { beforeAll, describe, expect, it } from "vitest";
import { words as account } from "../../src/language/es/app/account.ts";
import { askToSell } from "./support/asking-merchant.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import { enrol } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();
let ana: Phone;
let userId: string;

beforeAll(async () => {
  ana = await fixture.newPhone();
  await enrol(fixture.product, ana, "payer");
  userId = fixture.product.demo.users.payer.id;
});

const section = () => ana.page.locator("cupo-selling-section");

describe("a merchant that is to sell with a person's quota", () => {
  it("is told on Home, and sells once the passkey has allowed it and a second admin agreed", async () => {
    const { id, changeId, second } = await askToSell(fixture.product, userId, "Caja Norte");
    const agreed = await second.post(`/v1/operator/merchant-changes/${changeId}/agree`);
    expect(agreed.body).toMatchObject({ state: "waiting", agreed: true, user: "waiting" });
    await ana.open("/");
    await ana.page.getByText(ana.words.home.selling).waitFor();
    await ana.page.locator("cupo-home-page a[href='/profile#selling']").click();
    await section().getByText(account.selling.asks("Caja Norte").title).waitFor();
    await picture(ana.page, "60-selling");
    await section().getByRole("button", { name: account.selling.agree }).click();
    await expect.poll(() => section().locator("h2").count()).toBe(0);
    const { body } = await second.get("/v1/operator/merchants");
    expect(body.find((one: { readonly id: string }) => one.id === id)).toMatchObject({ sells_top_ups: true });
  });

  it("sells nothing once the person has refused it", async () => {
    const { changeId, second } = await askToSell(fixture.product, userId, "Caja Sur");
    await ana.open("/profile");
    await section().getByRole("button", { name: account.selling.refuse }).click();
    await expect.poll(() => section().locator("h2").count()).toBe(0);
    const agreed = await second.post(`/v1/operator/merchant-changes/${changeId}/agree`);
    expect(agreed.status).toBe(403);
  });
});
