import { beforeAll, describe, expect, it } from "vitest";
import { emvChecksum } from "../../src/qr-payload/emv-data-objects.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";
import type { MadeQr } from "./support/service-api.ts";

const SHORTEST_LIFE_SECONDS = 30;
const MORE_THAN_SHE_HAS = 600_000;
const fixture = aBrowserFixture();

/** The QRs are made first, so that they expire while the other tests run: Confirm is open for `lookedAt` alone. */
let madeAt: number;
let shortLived: MadeQr;
let lookedAt: MadeQr;
let looking: Phone;
let ana: Phone;
let before: { readonly payer: number; readonly merchant: number };

beforeAll(async () => {
  shortLived = await fixture.api.makeQr({ expires_in: SHORTEST_LIFE_SECONDS });
  lookedAt = await fixture.api.makeQr({ expires_in: SHORTEST_LIFE_SECONDS });
  madeAt = performance.now();
  looking = await fixture.phoneOf("payer");
  ana = await looking.nextTab();
  await looking.openCode(lookedAt.payload);
  await looking.toConfirm();
  before = await fixture.api.balances();
});

/** Corrects the checksum of a text, as somebody who alters a code would. */
function withChecksum(text: string): string {
  const unchecked = text.slice(0, -4);
  return unchecked + emvChecksum(unchecked);
}

async function stateOf({ reference }: MadeQr): Promise<string> {
  return (await fixture.api.client.transactionQr({ query: { reference } })).body.state;
}

describe("nothing moves and the person is told why", () => {
  it("when the order is more than the balance, and the QR stays payable", async () => {
    const qr = await fixture.api.makeQr({ amount: MORE_THAN_SHE_HAS });
    await ana.openCode(qr.payload);
    await ana.page.getByText("No te alcanza: te faltan $ 100.000.").waitFor();
    await ana.page.locator("cupo-pay-button[blocked] button:disabled").waitFor();
    await picture(ana.page, "30-not-enough");
    // Without a figure of the balance the service decides.
    ana.watch.allow(/ERR_FAILED/);
    await ana.page.route("**/v1/me", (route) => route.abort());
    await ana.open("/");
    await ana.openCode(qr.payload);
    await ana.toConfirm();
    await ana.pay();
    await ana.isTold("insufficient_balance");
    await picture(ana.page, "31-insufficient");
    await ana.page.unroute("**/v1/me");
    expect(await fixture.api.balances()).toEqual(before);
    expect(await fixture.api.approvedOf(qr.reference)).toBe(0);
    expect(await stateOf(qr)).toBe("unpaid");
    const [row] = await ana.movements("/history");
    expect(row).toMatch(/No se pagó .*\$ 600\.000/);
    await picture(ana.page, "32-history-rejected");
  });

  it("when the code is another system's, which is named", async () => {
    const pix = withChecksum("00020126180014br.gov.bcb.pix5204000053039865802BR5903Ana6003Rio6304----");
    await ana.openScan();
    await ana.type(pix);
    await ana.page.getByRole("alert").filter({ hasText: "Es un código PIX" }).waitFor();
    await picture(ana.page, "33-pix");
  });

  it("when a character of the code was damaged", async () => {
    const { payload } = await fixture.api.makeQr({ amount: 25_000 });
    await ana.openScan();
    await ana.type(payload.replace("540525000", "540515000"));
    await ana.isTold("damaged_code");
  });

  it("when the amount was altered and the checksum with it", async () => {
    const qr = await fixture.api.makeQr({ amount: 25_000 });
    // The browser logs the refusal, which the test provokes.
    ana.watch.allow(/status of 400 .*\/v1\/approvals\)$/);
    await ana.openScan();
    const altered = withChecksum(qr.payload.replace("540525000", "540515000"));
    expect(altered).not.toBe(qr.payload);
    await ana.type(altered);
    await ana.isTold("qr_not_authentic");
    await picture(ana.page, "34-not-authentic");
    expect(await stateOf(qr)).toBe("unpaid");
  });

  it("when the code is the person's own", async () => {
    const { body } = await fixture.api.client.user({ query: { id: fixture.product.demo.users.payer.id } });
    ana.watch.allow(/status of 403 .*\/v1\/approvals\)$/);
    await ana.openCode((await fixture.api.makeQr({ to_user_id: body.id })).payload);
    await ana.isTold("own_code");
    await picture(ana.page, "35-own");
  });

  it("when the code was cancelled", async () => {
    const { reference, payload } = await fixture.api.makeQr();
    await fixture.api.client.cancelTransactionQr({ body: { reference } });
    ana.watch.allow(/status of 409 .*\/v1\/approvals\)$/);
    await ana.openCode(payload);
    await ana.isTold("qr_cancelled");
  });

  it("when the code has expired, also while the person was looking at it", async () => {
    const leftMs = SHORTEST_LIFE_SECONDS * 1_000 - (performance.now() - madeAt);
    await new Promise((done) => setTimeout(done, Math.max(0, leftMs) + 500));
    await looking.pay();
    await looking.isTold("qr_expired");
    ana.watch.allow(/status of 409 .*\/v1\/approvals\)$/);
    await ana.openCode(shortLived.payload);
    await ana.isTold("qr_expired");
    await picture(ana.page, "36-expired");
    expect([await stateOf(shortLived), await stateOf(lookedAt)]).toEqual(["expired", "expired"]);
    expect(await fixture.api.balances()).toEqual(before);
  });
});
