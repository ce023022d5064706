import {
  afterEachPage,
  documentHears,
  expectEqual,
  expectNothingKept,
  expectTrue,
  heldOf,
  memory,
  only,
  pageErrorsDuring,
  pause,
  setMediaFeatures,
  until,
} from "../shared/browser-test.ts";
import { PayQrHarness, StubbedPayment, stubOrigin } from "./pay-qr-harness.ts";
import "../pay-qr.ts";

/** Headless pages are never hidden, so the test simulates the browser's event. */
function setVisible(visible: boolean): void {
  Object.defineProperty(document, "visibilityState", {
    configurable: true,
    get: () => (visible ? "visible" : "hidden"),
  });
  document.dispatchEvent(new Event("visibilitychange"));
}

async function leavePage(): Promise<void> {
  Reflect.deleteProperty(document, "visibilityState");
  afterEachPage();
  await setMediaFeatures();
}

describe("<pay-qr> asks no more than it needs", () => {
  afterEach(leavePage);

  it("every 2 s with jitter, unchanged answers as 304, one request in flight", async function () {
    this.timeout(20_000);
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await pause(9_000);
    const { looks, mostInFlight } = await payment.seen();
    expectTrue(looks.length >= 3 && looks.length <= 6, looks.length);
    expectEqual(
      looks.map(({ status }) => status),
      [200, ...Array(looks.length - 1).fill(304)],
    );
    const gaps = looks.slice(1).map(({ at }, index) => at - (looks[index]?.at ?? 0));
    expectTrue(
      gaps.every((gap) => gap > 1_500 && gap < 3_500),
      gaps,
    );
    expectTrue(new Set(gaps.map(Math.round)).size > 1, gaps);
    expectEqual(mostInFlight, 1);
  });

  it("never two at once, also when answers are slow and everything asks for a look", async () => {
    const payment = await StubbedPayment.open();
    await payment.change({ delayMs: 700 });
    const pay = PayQrHarness.mount(payment);
    for (let times = 0; times < 10; times++) {
      window.dispatchEvent(new Event("online"));
      document.dispatchEvent(new Event("visibilitychange"));
      await pause(50);
    }
    await pay.reaches("awaiting");
    const { looks, mostInFlight } = await payment.seen();
    expectEqual([looks.length, mostInFlight], [1, 1]);
  });

  it("not at all while the page is hidden, at once when it shows, and then past the 304", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    setVisible(false);
    await pause(3_000);
    const { looks } = await payment.seen();
    expectEqual(looks.length, 1);
    await payment.becomes({ state: "paid" });
    setVisible(true);
    await pay.reaches("paid");
    expectEqual((await payment.seen()).looks.at(-1)?.conditional, false);
  });

  it("Retry-After is kept", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.change({ refuse: { status: 429, code: "too_many_requests", retryAfter: 5 }, stream: "hint" });
    await pay.reaches("offline");
    const before = (await payment.seen()).looks.length;
    await pause(4_000);
    expectEqual((await payment.seen()).looks.length, before);
  });
});

describe("<pay-qr> lives in any page", () => {
  afterEach(leavePage);

  it("moved in the document, it keeps its session and its code", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    const place = document.createElement("main");
    document.body.append(place);
    place.append(pay.element);
    await pause(100);
    pay.element.remove();
    await pause(100);
    document.body.append(pay.element);
    await payment.becomes({ state: "paid" });
    await pay.reaches("paid");
    expectEqual((await payment.seen()).sessionsAsked, 1);
    expectEqual(
      pay.heard.map(({ type }) => type),
      ["pay-ready", "pay-paid"],
    );
  });

  it("removed, it asks nothing more", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    pay.element.remove();
    await pause(3_000);
    expectEqual((await payment.seen()).looks.length, 1);
  });

  it("takes fetchSession in place of an address, and another function is not another payment", async () => {
    const payment = await StubbedPayment.open();
    const element = document.createElement("pay-qr");
    document.body.append(element);
    await element.updateComplete;
    const source = async () => ({ session: `ws_${payment.name}`, broker: payment.origin });
    element.fetchSession = source;
    await until(() => element.phase === "awaiting", "awaiting");
    element.fetchSession = () => source();
    await pause(200);
    expectEqual((await payment.seen()).looks.length, 1);
  });

  it("a fetchSession that throws is pay-error no_session, and the page sees its own error", async () => {
    const own = new Error("no stock");
    const element = document.createElement("pay-qr");
    element.fetchSession = () => Promise.reject(own);
    let code = "";
    element.addEventListener("pay-error", (event) => {
      code = event.detail.code;
    });
    const errors = await pageErrorsDuring(async () => {
      document.body.append(element);
      await until(() => element.phase === "failed", "failed");
    });
    expectEqual(code, "no_session");
    expectTrue(errors[0] === own, errors);
  });

  it("its events reach the document out of shadow roots", async () => {
    const payment = await StubbedPayment.open();
    const host = document.createElement("div");
    document.body.append(host);
    const pay = PayQrHarness.mount(payment);
    const heard = documentHears("pay-ready");
    host.attachShadow({ mode: "open" }).append(pay.element);
    await pay.reaches("awaiting");
    expectTrue(heard.target === host, heard.target);
  });

  it("200 mounts and unmounts in every stage leave no element, no timer and no request", async function () {
    this.timeout(60_000);
    // Firefox keeps whatever an animation has run on until its page ends, with any element (tried in 153).
    await setMediaFeatures({ reducedMotion: "reduce" });
    const payment = await StubbedPayment.open();
    await removeWhileListening(payment);
    await mountAndRemove(payment, 10);
    await pause(100);
    const timers = watchTimers();
    const removed = await mountAndRemove(payment, 200);
    await pause(300);
    expectEqual(timers.waiting(), []);
    timers.restore();
    const { looks } = await payment.seen();
    await pause(2_600);
    const later = await payment.seen();
    expectEqual(later.looks.length, looks.length);
    // Chromium reads on for up to five seconds after a response was aborted, to save its connection.
    let { streamsOpen } = later;
    for (let waits = 0; streamsOpen > 0 && waits < 40; waits++) {
      await pause(200);
      ({ streamsOpen } = await payment.seen());
    }
    expectEqual(streamsOpen, 0);
    expectEqual([removed.length, await heldOf(removed)], [200, 0]);
  });

  only("chromium", "Firefox does not count the nodes and listeners that a page keeps", () => {
    it("200 mounts and unmounts in every stage leave no listener and no node", async function () {
      this.timeout(60_000);
      const payment = await StubbedPayment.open();
      await mountAndRemove(payment, 10);
      await pause(100);
      const before = await memory();
      await mountAndRemove(payment, 200);
      await expectNothingKept(before);
    });
  });
});

async function removeWhileListening(payment: StubbedPayment): Promise<void> {
  const pay = PayQrHarness.mount(payment);
  await pay.reaches("awaiting");
  let { streamsOpen } = await payment.seen();
  for (let waits = 0; streamsOpen === 0 && waits < 200; waits++) {
    await pause(20);
    ({ streamsOpen } = await payment.seen());
  }
  expectEqual(streamsOpen, 1);
  pay.element.remove();
}

async function mountAndRemove(payment: StubbedPayment, times: number): Promise<WeakRef<Element>[]> {
  const removed: WeakRef<Element>[] = [];
  for (let mounts = 0; mounts < times; mounts++) {
    const pay = PayQrHarness.mount(payment);
    const waitMs = [undefined, 0, 5, 30][mounts % 4];
    if (waitMs !== undefined) await pause(waitMs);
    pay.element.remove();
    removed.push(new WeakRef(pay.element));
  }
  return removed;
}

/** Counts the timers of the page that are neither run nor cleared; the test's own pauses are over when it asks. */
function watchTimers() {
  const { setTimeout: set, clearTimeout: clear } = window;
  const waiting = new Map<number, string>();
  window.setTimeout = ((task: () => void, delayMs?: number) => {
    const timer = set(() => {
      waiting.delete(timer);
      task();
    }, delayMs);
    waiting.set(timer, `${delayMs} ms`);
    return timer;
  }) as typeof setTimeout;
  window.clearTimeout = ((timer?: number) => {
    waiting.delete(timer ?? -1);
    clear(timer);
  }) as typeof clearTimeout;
  const restore = () => Object.assign(window, { setTimeout: set, clearTimeout: clear });
  return { waiting: () => [...waiting.values()], restore };
}

describe("<pay-qr> as it ships", () => {
  afterEach(leavePage);

  it("works under a strict policy with Trusted Types, loaded twice, without one violation", async function () {
    this.timeout(60_000);
    const payment = await StubbedPayment.open();
    const told: Record<string, unknown>[] = [];
    const listen = ({ data, source }: MessageEvent) => {
      if (source === frame.contentWindow) told.push(data);
    };
    const frame = document.createElement("iframe");
    window.addEventListener("message", listen);
    frame.src = `${await stubOrigin()}/strict.html?payment=${payment.name}`;
    document.body.append(frame);
    await until(() => told.some(({ event }) => event === "pay-ready"), "pay-ready", 30_000);
    await payment.becomes({ state: "paid" });
    await until(() => told.some(({ event }) => event === "pay-paid"), "pay-paid");
    window.removeEventListener("message", listen);
    expectEqual(
      told.map(({ event, violation, error }) => event ?? violation ?? error),
      ["pay-ready", "pay-paid"],
    );
  });
});
