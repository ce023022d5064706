import { afterEachPage, expectEqual, expectTrue, pause } from "../shared/browser-test.ts";
import { PayQrHarness, StubbedPayment } from "./pay-qr-harness.ts";
import "../pay-qr.ts";

/** `Retry-After` of the answers, so that any earlier poll was caused by a hint. */
const LONG_SECONDS = 30;
const PROMPT_MS = 500;

function setVisible(visible: boolean): void {
  Object.defineProperty(document, "visibilityState", {
    configurable: true,
    get: () => (visible ? "visible" : "hidden"),
  });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Mounts a payment that listens for hints, and would poll by itself only after half a minute. */
async function listening(change: object = { retryAfter: LONG_SECONDS }) {
  const payment = await StubbedPayment.open();
  await payment.change(change);
  const pay = PayQrHarness.mount(payment);
  await pay.reaches("awaiting");
  await streams(payment, 1);
  return { payment, pay };
}

async function streams(payment: StubbedPayment, open: number): Promise<void> {
  // Chromium reads on for up to five seconds after a response was aborted, to save its connection.
  const end = performance.now() + 8_000;
  let seen = await payment.seen();
  while (seen.streamsOpen !== open && performance.now() < end) {
    await pause(20);
    seen = await payment.seen();
  }
  expectEqual(seen.streamsOpen, open);
}

describe("<pay-qr> listens to the broker's hints", () => {
  afterEach(async () => {
    Reflect.deleteProperty(document, "visibilityState");
    afterEachPage();
    await pause(100);
  });

  it("and shows paid upon one, however long it would wait by itself", async () => {
    const { payment, pay } = await listening();
    await payment.becomesUnsaid({ state: "paid" });
    await pause(PROMPT_MS);
    expectEqual(pay.element.phase, "awaiting");
    await payment.change({ stream: "hint" });
    await pay.reaches("paid");
    await streams(payment, 0);
    expectEqual(pay.count("pay-paid"), 1);
  });

  it("and polls as before once the stream is cut", async () => {
    const { payment, pay } = await listening({});
    await payment.change({ stream: "cut" });
    await payment.becomes({ state: "paid" });
    await pay.reaches("paid");
    expectEqual((await payment.seen()).streamsAsked, 1);
  });

  it("and polls as before where it is refused, without asking again at every look", async function () {
    this.timeout(15_000);
    const payment = await StubbedPayment.open();
    await payment.change({ stream: "refuse" });
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await pause(6_000);
    const { looks, streamsAsked } = await payment.seen();
    expectEqual(streamsAsked, 1);
    expectTrue(looks.length >= 3, looks.length);
    await payment.becomes({ state: "paid" });
    await pay.reaches("paid");
  });

  it("not while the page is hidden", async () => {
    const { payment } = await listening();
    setVisible(false);
    await streams(payment, 0);
  });

  it("not after it was removed", async () => {
    const { payment, pay } = await listening();
    pay.element.remove();
    await streams(payment, 0);
  });

  it("through one stream a page, so that the looks of several elements always find a connection", async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => StubbedPayment.open()));
    const shown = payments.map((payment) => PayQrHarness.mount(payment));
    for (const pay of shown) await pay.reaches("awaiting");
    await pause(200);
    const seen = await Promise.all(payments.map((payment) => payment.seen()));
    expectEqual(
      seen.reduce((sum, { streamsOpen }) => sum + streamsOpen, 0),
      1,
    );
  });
});
