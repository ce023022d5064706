import { formatExactly } from "../../src/time-format.ts";
import { afterEachPage, expectEqual, expectTrue, pause, until } from "../shared/browser-test.ts";
import { RechargeFormHarness, StubbedTill } from "./recharge-form-harness.ts";
import "../recharge-form.ts";

describe("<recharge-form> sells", () => {
  afterEach(afterEachPage);

  it("finds the person, takes a preset, has it confirmed, and gives a receipt", async () => {
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.confirming(till);
    expectTrue(form.text.includes("Revisa y confirma $ 20.000 Marta G. Celular 300 123 4567"), form.text);
    expectTrue(form.within("[part~=way-on]").textContent === "Vender $\u00a020.000", form.text);
    await form.sell();
    await form.reaches("receipt");
    expectEqual(form.announced, "Recarga hecha. $\u00a020.000, Marta G.");
    const soldAt = formatExactly("2026-03-02T19:32:00Z", "es-CO").replace(/\s/g, " ");
    expectTrue(form.text.includes(`K7M39QXT2V4FW${soldAt}`), form.text);
    await until(() => form.text.includes("Recargas de hoy: 1 · $ 20.000"), "the day's total");
    const { id, ...detail } = (form.heard[0]?.detail ?? {}) as Record<string, unknown>;
    expectTrue(typeof id === "string" && id !== "", id);
    expectEqual(detail, {
      name: "Marta G.",
      amount: 20_000,
      currency: "COP",
      created_at: "2026-03-02T19:32:00.000Z",
      reference: "K7M39QXT2V4FW",
    });
    expectEqual(form.events, ["recharge-done"]);
    await pause(450);
    form.press("Otra recarga");
    await form.reaches("find");
    expectEqual([form.input.value, (await till.seen()).sold], ["", 1]);
  });

  it("a double click sells once, and one on what leads to the confirmation sells nothing", async () => {
    const till = await StubbedTill.open();
    await till.becomes({ delayMs: 200 });
    const form = await RechargeFormHarness.withPerson(till);
    form.pressPart("preset");
    await form.element.updateComplete;
    form.pressPart("way-on");
    await pause(450);
    expectEqual([form.element.phase, (await till.seen()).tries], ["confirm", []]);
    form.pressPart("way-on");
    form.pressPart("way-on");
    await form.element.updateComplete;
    await form.reaches("receipt");
    const { tries, sold } = await till.seen();
    expectEqual([tries.length, sold, form.events], [1, 1, ["recharge-done"]]);
  });

  it("by the keyboard alone: Enter leads on, and the focus goes along", async () => {
    const form = RechargeFormHarness.mount(await StubbedTill.open());
    await form.reaches("find");
    expectEqual(form.focused, null);
    form.input.focus();
    form.type("300 123 4567");
    form.submit();
    await form.reaches("amount");
    expectTrue(form.focused === form.input, form.focused?.outerHTML);
    form.type("12.500");
    form.submit();
    await form.reaches("confirm");
    expectTrue(form.focused?.matches(".outcome") === true, form.focused?.outerHTML);
    form.within("[part~=way-on]").focus();
    await form.sell();
    await form.reaches("receipt");
    expectTrue(form.focused?.matches(".outcome") === true, form.focused?.outerHTML);
    expectTrue(form.text.includes("$ 12.500"), form.text);
  });

  it("says beside the field what is not right, and a nit is looked for as a nit", async () => {
    const till = await StubbedTill.open();
    const form = RechargeFormHarness.mount(till);
    await form.reaches("find");
    form.submit();
    await form.element.updateComplete;
    expectEqual([form.within("#fault").textContent, form.input.ariaInvalid], ["Escribe el número completo.", "true"]);
    expectEqual((await till.seen()).lookUps, 0);
    (form.within("[type=radio]:not(:checked)") as HTMLInputElement).click();
    form.type("900120000");
    await form.element.updateComplete;
    expectEqual([form.within("#fault").textContent, form.input.ariaInvalid], ["", "false"]);
    form.submit();
    await until(() => form.announced !== "Escribe el número completo.", "an answer");
    expectEqual(form.announced, "Nadie tiene ese número.");
    expectEqual([form.input.value, form.events], ["900120000", []]);
    form.type("900123456-7");
    form.submit();
    await form.reaches("amount");
    form.pressPart("preset");
    await form.reaches("confirm");
    expectTrue(form.text.includes("Marta G. NIT 900123456-7"), form.text);
  });

  it("an amount keeps within the limits, and says which", async () => {
    const till = await StubbedTill.open({ left_to_sell: 30_000 });
    const form = await RechargeFormHarness.withPerson(till);
    const presets = [...(form.element.shadowRoot?.querySelectorAll<HTMLButtonElement>("[part~=preset]") ?? [])];
    expectEqual(
      presets.map(({ disabled }) => disabled),
      [false, false, true],
    );
    expectTrue(form.text.includes("Vende hasta $ 30.000."), form.text);
    const faults: (string | null)[] = [];
    for (const text of ["", "25.00", "60.000", "40.000"]) {
      form.type(text);
      form.submit();
      await form.element.updateComplete;
      faults.push(form.within("#fault").textContent);
    }
    expectEqual(faults, [
      "Escribe un monto como 20.000.",
      "Escribe un monto como 20.000.",
      "Vende hasta $\u00a030.000.",
      "Vende hasta $\u00a030.000.",
    ]);
    expectEqual(form.element.phase, "amount");
  });

  it("shows what the till sold today when it is asked to", async () => {
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.confirming(till);
    await form.sell();
    await form.reaches("receipt");
    form.within("summary").click();
    const row = / 1 · \$ 20\.000 ?Marta G. \d{1,2}:\d\d [ap]\. m\. ?\$ 20\.000/;
    await until(() => row.test(form.text), "the day's total with its row");
  });
});

describe("<recharge-form> when something does not work", () => {
  afterEach(afterEachPage);

  it("a rejected sale says why and that nothing moved, and the amount can be changed", async () => {
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.confirming(till);
    const rejected = { outcome: "rejected", reason: "insufficient_balance" };
    await till.change({ till: rejected, answer: { left_to_sell: 5_000 } });
    await form.sell();
    await form.reaches("rejected");
    expectTrue(form.text.includes("A la caja no le alcanza. No se movió dinero."), form.text);
    expectEqual(form.events, ["recharge-rejected"]);
    const { name, amount, currency, reason } = (form.heard[0]?.detail ?? {}) as Record<string, unknown>;
    expectEqual([name, amount, currency, reason], ["Marta G.", 20_000, "COP", "insufficient_balance"]);
    form.press("Cambiar");
    await form.reaches("amount");
    await until(() => form.text.includes("Vende hasta $ 5.000."), "what another till has left to sell");
  });

  it("an answer that is lost is asked for again with the same key, and told once", async () => {
    const till = await StubbedTill.open();
    await till.becomes({ loseAnswers: 99 });
    const form = await RechargeFormHarness.confirming(till);
    await form.sell();
    await form.reaches("unsure");
    await till.becomes({ loseAnswers: 0 });
    expectTrue(form.text.includes("Aún no sabemos si se vendió"), form.text);
    expectTrue(form.element.shadowRoot?.querySelectorAll("button").length === 1, form.text);
    await form.reaches("receipt");
    const { tries, sold } = await till.seen();
    // A browser resends a request by itself if the connection that failed had been used before.
    expectEqual([tries.length >= 2, new Set(tries).size, sold], [true, 1, 1]);
    expectEqual(form.events, ["recharge-error", "recharge-done"]);
  });

  it("a late answer and the button's own are one sale, also with a session that was renewed", async () => {
    const till = await StubbedTill.open();
    await till.becomes({ outcome: "running" });
    const form = await RechargeFormHarness.confirming(till);
    await form.sell();
    await form.reaches("unsure");
    await till.change({ end: true, till: { outcome: "approved", delayMs: 150 } });
    form.press("Consultar de nuevo");
    form.press("Consultar de nuevo");
    await form.reaches("receipt");
    await pause(300);
    const { tries, sold, sessionsAsked } = await till.seen();
    expectEqual([new Set(tries).size, sold, sessionsAsked >= 2], [1, 1, true]);
    expectEqual(form.events, ["recharge-error", "recharge-done"]);
  });

  for (const code of ["not_allowed", "limit_exceeded", "look_up_expired"]) {
    it(`${code} of the merchant's own backend is no word on a sale whose answer was lost`, async () => {
      const till = await StubbedTill.open();
      await till.becomes({ loseAnswers: 99 });
      const form = await RechargeFormHarness.confirming(till);
      await form.sell();
      await form.reaches("unsure");
      await till.change({ end: true, refuseSessions: { status: 403, code }, till: { loseAnswers: 0 } });
      form.press("Consultar de nuevo");
      await pause(500);
      expectEqual((await till.seen()).sessionsAsked > 1, true);
      expectEqual([form.element.phase, form.events], ["unsure", ["recharge-error"]]);
      await till.change({ refuseSessions: null });
      form.press("Consultar de nuevo");
      await form.reaches("receipt");
      expectEqual(form.events, ["recharge-error", "recharge-done"]);
    });
  }

  it("a look-up that expired while the outcome is not known offers no second sale", async () => {
    const till = await StubbedTill.open();
    await till.becomes({ refuseSales: { status: 503, code: "unavailable" } });
    const form = await RechargeFormHarness.confirming(till);
    await form.sell();
    await form.reaches("unsure");
    await till.becomes({ refuseSales: { status: 409, code: "look_up_expired" } });
    form.press("Consultar de nuevo");
    await form.reaches("rejected");
    expectTrue(form.text.includes("Pasó mucho tiempo. No se movió dinero."), form.text);
    expectEqual(new Set((await till.seen()).tries).size, 1);
  });

  it("a till that is refused after its sale is not told to be offline", async () => {
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.confirming(till);
    await till.becomes({ outcome: "rejected", delayMs: 100 });
    await form.sell();
    await till.change({ refuse: { status: 403, code: "not_allowed" } });
    await form.reaches("rejected");
    await form.reaches("offline");
    expectTrue(form.text.includes("La caja no está disponible"), form.text);
    expectTrue(!form.text.includes("Sin conexión"), form.text);
  });

  it("a session that ends is renewed in silence, and what was typed stays", async () => {
    const till = await StubbedTill.open();
    const form = RechargeFormHarness.mount(till);
    await form.reaches("find");
    form.type("300 123 4567");
    await till.change({ end: true });
    form.submit();
    await form.reaches("amount");
    expectEqual([(await till.seen()).sessionsAsked, form.events], [2, []]);
  });

  it("a look-up that expired is made again by itself, and confirmed again", async () => {
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.confirming(till);
    await till.becomes({ refuseSales: { status: 409, code: "look_up_expired" } });
    await form.sell();
    await until(() => form.announced.startsWith("Pasó mucho tiempo"), "the new look-up");
    await till.becomes({ refuseSales: null });
    await form.sell();
    await form.reaches("receipt");
    const { tries, sold, lookUps } = await till.seen();
    expectEqual([new Set(tries).size, sold, lookUps], [2, 1, 2]);
  });

  it("too many look-ups say how long to wait", async () => {
    const till = await StubbedTill.open();
    await till.becomes({ refuseLookUps: { status: 429, code: "too_many_requests", retryAfter: 42 } });
    const form = RechargeFormHarness.mount(till);
    await form.reaches("find");
    form.type("300 123 4567");
    form.submit();
    await until(() => form.announced.includes("42 segundos"), "the wait");
    expectEqual(form.heard, [{ type: "recharge-error", detail: { code: "too_many_requests", recovering: false } }]);
  });

  it("without the broker it says so, and goes on when it is back", async () => {
    const till = await StubbedTill.open();
    await till.change({ refuse: "drop" });
    const form = RechargeFormHarness.mount(till);
    await form.reaches("offline");
    expectEqual([form.element.phase, form.announced], ["loading", "Sin conexión."]);
    await till.change({ refuse: null });
    window.dispatchEvent(new Event("online"));
    await form.reaches("find");
    expectEqual(form.element.matches(":state(offline)"), false);
  });

  it("a till that may not open has failed, and can be tried again", async () => {
    const till = await StubbedTill.open({ kind: "pay" });
    const form = RechargeFormHarness.mount(till);
    await form.reaches("failed");
    expectTrue(!form.text.includes("No se movió dinero"), form.text);
    expectEqual(form.heard, [{ type: "recharge-error", detail: { code: "not_understood", recovering: false } }]);
    await till.change({ answer: { kind: "recharge" } });
    await pause(450);
    form.press("Intentar de nuevo");
    await form.reaches("find");
  });
});
