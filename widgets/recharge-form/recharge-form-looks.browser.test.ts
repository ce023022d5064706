import {
  afterEachPage,
  ariaSnapshotOf,
  expectAccessible,
  expectEqual,
  expectTrue,
  nextFrame,
  setMediaFeatures,
} from "../shared/browser-test.ts";
import { RechargeFormHarness, StubbedTill } from "./recharge-form-harness.ts";
import "../recharge-form.ts";

function mountPage(theme: string): void {
  document.documentElement.lang = "es";
  document.documentElement.style.colorScheme = theme;
  document.body.style.background = "Canvas";
}

async function resetPage(): Promise<void> {
  afterEachPage();
  document.documentElement.removeAttribute("style");
  document.documentElement.removeAttribute("dir");
  document.documentElement.lang = "en";
  await setMediaFeatures();
}

/** Brings a till to each of its states, one after the other where that can be, and looks at each. */
async function eachState(look: (state: string, form: RechargeFormHarness) => Promise<void>): Promise<void> {
  const till = await StubbedTill.open();
  await till.change({ refuse: "drop" });
  const form = RechargeFormHarness.mount(till);
  await form.reaches("offline");
  await look("loading", form);
  await till.change({ refuse: null });
  window.dispatchEvent(new Event("online"));
  await form.reaches("find");
  form.submit();
  await form.element.updateComplete;
  await look("find", form);
  form.remove();
  for (const [state, change] of Object.entries({
    unsure: { outcome: "running" },
    receipt: { outcome: "approved" },
    rejected: { outcome: "rejected", reason: "limit_exceeded" },
  })) {
    const next = await StubbedTill.open();
    await next.becomes({ ...change, delayMs: 100 });
    const selling = await RechargeFormHarness.withPerson(next);
    if (state === "receipt") await look("amount", selling);
    selling.pressPart("preset");
    await selling.reaches("confirm");
    if (state === "receipt") await look("confirm", selling);
    await selling.sell();
    if (state === "receipt") await look("selling", selling);
    await selling.reaches(state);
    await look(state, selling);
    selling.remove();
  }
  const failed = RechargeFormHarness.mount(await StubbedTill.open({ kind: "pay" }));
  await failed.reaches("failed");
  await look("failed", failed);
}

describe("<recharge-form> is for everybody", () => {
  afterEach(resetPage);

  for (const theme of ["light", "dark"] as const) {
    it(`axe finds nothing in any state, ${theme}`, async function () {
      this.timeout(60_000);
      mountPage(theme);
      const seen: string[] = [];
      await eachState(async (state, form) => {
        seen.push(state);
        await expectAccessible(form.element);
      });
      expectEqual(seen.length, 9);
    });
  }

  it("tells assistive technology of each step what there is to do", async () => {
    mountPage("light");
    const form = RechargeFormHarness.mount(await StubbedTill.open());
    await form.reaches("find");
    expectEqual((await ariaSnapshotOf(form.element)).split("\n"), [
      "- paragraph: Tienda Doña Marta · Caja 2",
      '- radiogroup "Buscar":',
      '  - radio "Celular" [checked]',
      "  - text: Celular",
      '  - radio "NIT"',
      "  - text: NIT",
      "- text: Celular",
      '- textbox "Celular"',
      '- button "Buscar"',
      '- group: "Recargas de hoy: 0 · $ 0"',
      "- status: Tienda Doña Marta",
    ]);
    form.type("300 123 4567");
    form.submit();
    await form.reaches("amount");
    expectEqual((await ariaSnapshotOf(form.element)).split("\n"), [
      "- paragraph: Tienda Doña Marta · Caja 2",
      "- paragraph: Recarga para Marta G.",
      '- button "$ 10.000"',
      '- button "$ 20.000"',
      '- button "$ 50.000"',
      "- text: Monto",
      '- textbox "Monto"',
      "- paragraph: Vende hasta $ 50.000.",
      '- button "Cambiar"',
      '- button "Continuar"',
      '- group: "Recargas de hoy: 0 · $ 0"',
      "- status: Recarga para Marta G.",
    ]);
  });

  it("fits a page of 320 px without scrolling sideways, in both directions, in every state", async function () {
    this.timeout(60_000);
    await setMediaFeatures({ width: 320 });
    for (const direction of ["ltr", "rtl"]) {
      document.documentElement.dir = direction;
      await eachState(async (state, form) => {
        expectTrue(document.documentElement.scrollWidth <= 320, `${state} ${document.documentElement.scrollWidth}`);
        expectTrue(form.element.getBoundingClientRect().width > 250, state);
      });
      afterEachPage();
    }
  });

  it("speaks the nearest language, sentences and numbers both, also when it changes", async () => {
    const host = document.createElement("section");
    host.lang = "en";
    document.body.append(host);
    const form = await RechargeFormHarness.withPerson(await StubbedTill.open(), { presets: "1234.5" });
    host.attachShadow({ mode: "open" }).append(form.element);
    await nextFrame();
    await form.element.updateComplete;
    expectTrue(form.text.includes("Top-up for Marta G. COP 1,234.50"), form.text);
    host.lang = "pt";
    await nextFrame();
    await form.element.updateComplete;
    expectTrue(form.text.includes("Recarga para Marta G. COP 1.234,50"), form.text);
    host.lang = "fr";
    await nextFrame();
    await form.element.updateComplete;
    expectTrue(form.text.includes("Recarga para Marta G. $ 1.234,50"), form.text);
  });

  it("the number that is looked for has the look of what is selected, and the choice moves nothing", async () => {
    mountPage("light");
    const form = RechargeFormHarness.mount(await StubbedTill.open());
    await form.reaches("find");
    const labels = [...(form.element.shadowRoot?.querySelectorAll<HTMLElement>("[role=radiogroup] label") ?? [])];
    const looks = () =>
      labels.map((label) => {
        const { borderColor, boxShadow, color } = getComputedStyle(label);
        return borderColor === color && boxShadow === `${color} 0px 0px 0px 1px inset`;
      });
    const places = () => labels.map((label) => JSON.stringify(label.querySelector("input")?.getBoundingClientRect()));
    const before = places();
    expectEqual(looks(), [true, false]);
    labels[1]?.click();
    await form.element.updateComplete;
    expectEqual(looks(), [false, true]);
    expectEqual(places(), before);
  });

  it("nothing moves under reduced motion", async () => {
    await setMediaFeatures({ reducedMotion: "reduce" });
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.withPerson(till);
    form.pressPart("preset");
    await form.reaches("confirm");
    await form.sell();
    await form.reaches("receipt");
    expectEqual(form.element.shadowRoot?.getAnimations().length, 0);
  });
});
