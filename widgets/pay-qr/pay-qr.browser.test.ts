import { formatExactly } from "../../src/time-format.ts";
import { PayQr } from "../pay-qr.ts";
import { afterEachPage, expectEqual, expectTrue, pause, until } from "../shared/browser-test.ts";
import { PayQrHarness, StubbedPayment } from "./pay-qr-harness.ts";

describe("<pay-qr> from the first look to the last", () => {
  afterEach(afterEachPage);

  it("shows payee, amount, check code and countdown, and tells pay-ready once", async () => {
    const payment = await StubbedPayment.open({ expires_in: 899 });
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    expectTrue(pay.text.includes("Pagas a Café La Candelaria"), pay.text);
    expectTrue(pay.text.includes("$ 25.000"), pay.text);
    expectTrue(pay.text.includes("7K3M"), pay.text);
    expectTrue(/Vence en 14:5\d/.test(pay.text), pay.text);
    expectEqual(pay.qr?.getAttribute("aria-label"), "Código QR para pagar $\u00a025.000 a Café La Candelaria");
    expectEqual(pay.detail("pay-ready"), { reference: "K7M39QXT2V4FW", amount: 25000, currency: "COP" });
    await pause(2_600);
    expectEqual(pay.count("pay-ready"), 1);
  });

  it("says paid, with amount and time, and tells it once however often it is answered", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.becomesUnsaid({ state: "paid" });
    await pay.reaches("paid");
    const [, day] = /^Pagado \$ 25\.000 Café La Candelaria (.+), \d{1,2}:\d\d [ap]\. m\.$/.exec(pay.text) ?? [];
    // Midnight may have passed since.
    const days = [0, 60_000].map((ago) => formatExactly(Date.now() - ago, "es-CO"));
    expectTrue(day !== undefined && days.some((exact) => exact.startsWith(day)), pay.text);
    expectTrue(pay.announced.startsWith("Pagaste $"), pay.announced);
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("online"));
    const looks = (await payment.seen()).looks.length;
    await pause(2_600);
    expectEqual((await payment.seen()).looks.length, looks);
    expectEqual(pay.count("pay-paid"), 1);
    expectEqual(pay.qr, null);
  });

  it("a page that is opened after the payment says paid, without a time that it cannot know", async () => {
    const pay = PayQrHarness.mount(await StubbedPayment.open({ state: "paid" }));
    await pay.reaches("paid");
    expectEqual(pay.text, "Pagado $ 25.000 Café La Candelaria");
    expectEqual(
      pay.heard.map(({ type }) => type),
      ["pay-paid"],
    );
  });

  it("a rejected attempt is a notice and an event; the code stays payable", async () => {
    const payment = await StubbedPayment.open({ rejected_attempts: 1 });
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    expectEqual(pay.count("pay-rejected"), 0);
    await payment.becomes({ rejected_attempts: 2 });
    await pay.hears("pay-rejected");
    await pay.element.updateComplete;
    expectEqual((pay.detail("pay-rejected") as { attempts: number }).attempts, 2);
    expectTrue(pay.text.includes("Un intento fue rechazado y no se cobró"), pay.text);
    expectTrue(pay.qr !== null, "the code is still there");
    await payment.becomes({ state: "paid" });
    await pay.reaches("paid");
    expectEqual(
      pay.heard.map(({ type }) => type),
      ["pay-ready", "pay-rejected", "pay-paid"],
    );
  });

  it("a held payment takes the code away and goes on looking", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.becomes({ state: "pending" });
    await until(() => pay.text.includes("Pago en proceso"), "the sentence");
    expectEqual(pay.qr, null);
    await payment.becomes({ state: "paid" });
    await pay.reaches("paid");
  });

  it("at the end of the time looks once more: paid in the last second is paid, not expired", async () => {
    const payment = await StubbedPayment.open({ expires_in: 4 });
    // By itself it would look again only long after the end.
    await payment.change({ retryAfter: 30 });
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.becomesUnsaid({ state: "paid" });
    await pay.reaches("paid");
    expectEqual(pay.count("pay-expired"), 0);
  });

  it("an expired code says so once, and the way on brings a new one", async () => {
    const payment = await StubbedPayment.open({ expires_in: 1 });
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("expired");
    expectTrue(pay.text.includes("No se cobró nada"), pay.text);
    expectEqual((pay.detail("pay-expired") as { confirmed: boolean }).confirmed, true);
    await payment.becomes({ expires_in: 600, check_code: "9XYZ" });
    pay.control("Pedir otro código").focus();
    pay.press("Pedir otro código");
    await pay.reaches("awaiting");
    expectTrue(pay.text.includes("9XYZ"), pay.text);
    expectEqual((await payment.seen()).sessionsAsked, 2);
    expectEqual(
      pay.heard.map(({ type }) => type),
      ["pay-ready", "pay-expired", "pay-ready"],
    );
    expectTrue(pay.element.shadowRoot?.activeElement !== null, "the focus stays inside");
  });

  it("a session that ended after its code has expired, and does not claim that nothing was charged", async () => {
    const payment = await StubbedPayment.open({ expires_in: 1 });
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.change({ refuse: { status: 401, code: "unauthorized" } });
    // A refusal before the expiry would be a failure; the next poll is due only after it.
    await pay.reaches("expired");
    expectTrue(pay.text.includes("Si alcanzaste a pagar"), pay.text);
    expectEqual((pay.detail("pay-expired") as { confirmed: boolean }).confirmed, false);
  });

  it("a cancelled payment says so", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.becomes({ state: "cancelled" });
    await pay.reaches("cancelled");
    expectEqual(pay.detail("pay-error"), { code: "qr_cancelled", recovering: false });
    expectTrue(pay.control("Pedir otro código") !== null, "a way on");
  });

  it("the live region is the same node in every state", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.element.updateComplete;
    const region = pay.liveRegion;
    await pay.reaches("awaiting");
    await payment.becomes({ state: "paid" });
    await pay.reaches("paid");
    expectTrue(pay.liveRegion === region, "the same node");
  });
});

describe("<pay-qr> when something is wrong", () => {
  afterEach(afterEachPage);

  for (const refuse of [{ status: 503, code: "unavailable", retryAfter: 1 }, { status: 502 }, "drop"]) {
    it(`keeps the code visible while the broker answers ${JSON.stringify(refuse)}, and recovers`, async () => {
      const payment = await StubbedPayment.open();
      const pay = PayQrHarness.mount(payment);
      await pay.reaches("awaiting");
      await payment.change({ refuse, stream: "hint" });
      await pay.reaches("offline");
      expectTrue(pay.qr !== null, "the code is still there");
      expectTrue(pay.text.includes("Sin conexión"), pay.text);
      await payment.change({ refuse: null, answer: { state: "paid" } });
      pay.press("Consultar de nuevo");
      await pay.reaches("paid");
      expectTrue(!pay.element.matches(":state(offline)"), "no longer offline");
      expectEqual(pay.count("pay-error"), 1);
      expectEqual((pay.detail("pay-error") as { recovering: boolean }).recovering, true);
    });
  }

  it("the merchant's refusal is told with its code, and can be tried again", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    pay.element.sessionUrl = `${payment.origin}/shop/unknown`;
    await pay.reaches("failed");
    expectEqual(pay.detail("pay-error"), { code: "not_found", recovering: false });
    // The order may have been paid before the page was loaded.
    expectEqual(pay.text, "No pudimos mostrar el código Intenta de nuevo. Intentar de nuevo");
    pay.element.sessionUrl = payment.sessionUrl;
    await pay.reaches("awaiting");
  });

  it("a session that is refused before its time does not claim to know what became of the payment", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.change({ refuse: { status: 401, code: "unauthorized" }, stream: "hint" });
    await pay.reaches("failed");
    expectTrue(pay.text.includes("antes de pagar otra vez"), pay.text);
  });

  it("an answer that is no session is told, not shown", async () => {
    const pay = PayQrHarness.mount(await StubbedPayment.open({ payload: 7 }));
    await pay.reaches("failed");
    expectEqual(pay.detail("pay-error"), { code: "not_understood", recovering: false });
  });

  it("an app link that is no web address is not offered", async () => {
    const pay = PayQrHarness.mount(await StubbedPayment.open({ app_link: "javascript:alert(1)" }));
    await pay.reaches("awaiting");
    expectEqual(pay.element.shadowRoot?.querySelector("a"), null);
  });

  it("a code that may not be copied is offered for copying by hand", async () => {
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    const clipboard = navigator.clipboard.writeText;
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    pay.press("Copiar código");
    await until(() => pay.element.shadowRoot?.activeElement?.tagName === "TEXTAREA", "the text field");
    navigator.clipboard.writeText = clipboard;
    const field = pay.element.shadowRoot?.activeElement as HTMLTextAreaElement;
    expectTrue(field.value.startsWith("000201") && field.selectionEnd === field.value.length, "selected whole");
  });

  it("copies the payload and says so", async () => {
    const pay = PayQrHarness.mount(await StubbedPayment.open());
    await pay.reaches("awaiting");
    let copied = "";
    const clipboard = navigator.clipboard.writeText;
    navigator.clipboard.writeText = async (text) => {
      copied = text;
    };
    pay.press("Copiar código");
    await until(() => pay.announced === "Código copiado", "the announcement");
    navigator.clipboard.writeText = clipboard;
    expectTrue(copied.startsWith("000201"), copied);
  });
});

describe("<pay-qr> takes from its page", () => {
  afterEach(afterEachPage);

  it("the properties that were set before the script came, against attributes", async () => {
    const payment = await StubbedPayment.open();
    const element = document.createElement("late-pay-qr") as PayQr;
    element.fetchSession = async () => ({ session: `ws_${payment.name}` });
    element.setAttribute("broker", "https://pay.example");
    element.broker = payment.origin;
    document.body.append(element);
    customElements.define("late-pay-qr", class extends PayQr {});
    await until(() => element.phase === "awaiting", "awaiting");
    expectEqual([Object.hasOwn(element, "broker"), element.broker], [false, payment.origin]);
  });

  it("an amount only as digits with a point before its decimals", () => {
    const element = document.createElement("pay-qr");
    const amounts = ["25000", "25.5", "25.000", "25,000", "1e3", ""].map((amount) => {
      element.setAttribute("amount", amount);
      return element.amount ?? "none";
    });
    expectEqual(amounts, [25_000, 25.5, "none", "none", "none", "none"]);
    element.amount = 7;
    element.removeAttribute("amount");
    expectEqual(element.amount ?? "none", "none");
  });
});
