import axe from "axe-core";
import type { Locator } from "playwright-core";
import type { PageName } from "../../../../pwa/platform/app-paths.ts";
import type { BrowserFixture } from "../browser-fixture.ts";
import { type Authenticator, addAuthenticator } from "../passkeys.ts";
import type { Phone } from "../phone.ts";
import { isSettled } from "./in-page.ts";

/** The key in `localStorage` of the moment when somebody last touched the app, for its lock. */
const LAST_SEEN = "cupo.seen";

/** The people of the tour, and their phones. */
export class VisualRun {
  readonly fixture: BrowserFixture;
  readonly stranger: Phone;
  /** Ana's phone. She enrols her passkey in her first stations, and has no payment before {@link VisualRun.pay}. */
  readonly ana: Phone;
  readonly anasPasskeys: Authenticator;
  /** The phone of the demo's shop, which has no camera. */
  readonly shop: Phone;
  /** The link that verifies the receipt of Ana's first payment. */
  receiptLink = "";
  /** The first payment's id. */
  paymentId = "";
  /** The payload of the code that the shop shows. */
  payload = "";

  private constructor(fixture: BrowserFixture, phones: Pick<VisualRun, "stranger" | "ana" | "anasPasskeys" | "shop">) {
    this.fixture = fixture;
    this.stranger = phones.stranger;
    this.ana = phones.ana;
    this.anasPasskeys = phones.anasPasskeys;
    this.shop = phones.shop;
  }

  /** Prepares the phones. */
  static async begin(fixture: BrowserFixture): Promise<VisualRun> {
    const [stranger, ana, shop] = await Promise.all([
      fixture.newPhone(),
      fixture.newPhone({ permissions: ["clipboard-read", "clipboard-write"] }),
      fixture.newPhone({ ownCamera: true }),
    ]);
    for (const phone of [stranger, ana, shop]) {
      await phone.context.addInitScript(axe.source);
      await phone.page.emulateMedia({ reducedMotion: "reduce" });
      // The browser logs refusals that a station is about, and a missing connection.
      phone.watch.allow(
        /status of 40[0134] .*(?:\/v1\/|\/nowhere\))/,
        /status of 409 .*\/v1\/approvals\)$/,
        /ERR_INTERNET_DISCONNECTED/,
      );
    }
    return new VisualRun(fixture, { stranger, ana, anasPasskeys: await addAuthenticator(ana.page), shop });
  }

  /** Makes the payments that the later stations show. */
  async pay(): Promise<void> {
    const { api, product } = this.fixture;
    const { payer, merchant } = product.demo.users;
    const { body: luz } = await api.client.createUser({
      body: { name: "Luz Marina Peña", nit: "900111", phone: "+573005550001" },
    });
    let made = 0;
    const send = async (from: string, to: string, amount: number, note?: string): Promise<string> => {
      const details = note === undefined ? {} : { details: { note } };
      const body = { from_user_id: from, to_user_id: to, amount, ...details };
      return (await api.client.createTransaction({ body }, { idempotencyKey: `tour ${++made}` })).body.id;
    };
    this.paymentId = await send(payer.id, merchant.id, 25_000.5, "Almuerzo");
    await send(payer.id, luz.id, 18_400);
    await send(merchant.id, payer.id, 12_000, "Propina del viernes");
    await send(payer.id, merchant.id, 6_300);
    const body = { id: this.paymentId, amount: 5_000 };
    await api.client.reverseTransaction({ body }, { idempotencyKey: "tour refund" });
  }

  /** Brings the app to a state of a page; resolves when no part of the page is loading any more. */
  async reach(station: PageState): Promise<void> {
    await station.reach(this);
    await this[station.on].page.waitForFunction(isSettled);
  }

  /** Opens Confirm for a new code of the shop. */
  async openQr(phone: Phone, amount?: number): Promise<void> {
    await phone.openCode((await this.fixture.api.makeQr({ amount })).payload);
  }

  /** Makes the last touch of Ana's phone an hour old. */
  async leaveForAnHour(): Promise<void> {
    await this.ana.page.evaluate((key) => localStorage.setItem(key, String(Date.now() - 3_600_000)), LAST_SEEN);
  }
}

/** A state of a page, and how a person gets there from the one before. */
export interface PageState {
  readonly page: PageName;
  /** The state of the page, if it has others; with the page it names the pictures. */
  readonly state?: string;
  /** The phone that shows it. */
  readonly on: "stranger" | "ana" | "shop";
  /** Goes there; resolves when everything that the state is about is there. */
  readonly reach: (tour: VisualRun) => Promise<unknown>;
}

/** Returns the name of a station and of its pictures. */
export function nameOf({ page, state }: PageState): string {
  return state === undefined ? page : `${page}-${state}`;
}

/** The heading of that name. */
export function heading({ page }: Phone, name: string | RegExp): Locator {
  return page.getByRole("heading", { name, exact: true });
}

/** Presses the button of that name. */
export async function press({ page }: Phone, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}
