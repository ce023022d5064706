import {
  afterEachPage,
  ariaSnapshotOf,
  expectAccessible,
  expectEqual,
  expectTrue,
  nextFrame,
  pixelsOf,
  setMediaFeatures,
} from "../shared/browser-test.ts";
import { StubbedUser, UserQuotaHarness } from "./user-quota-harness.ts";
import "../user-quota.ts";

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

async function shown(answer: object = {}, attributes: Readonly<Record<string, string>> = {}) {
  const user = await StubbedUser.open(answer);
  const quota = UserQuotaHarness.mount(user, attributes);
  await quota.reaches("shown");
  return { user, quota };
}

/** How many colours a part of the screen has: a bar or an icon that nobody sees has one. */
async function coloursOf(element: Element): Promise<number> {
  const { data } = await pixelsOf(element);
  return new Set(new Uint32Array(data.buffer)).size;
}

describe("<user-quota> is for everybody", () => {
  afterEach(resetPage);

  for (const theme of ["light", "dark"] as const) {
    for (const status of ["active", "arrear", "default"]) {
      it(`axe finds nothing in shown, ${status}, ${theme}, masked or not`, async () => {
        mountPage(theme);
        const { quota } = await shown({ status });
        await expectAccessible(quota.element);
        quota.element.masked = true;
        await quota.element.updateComplete;
        await expectAccessible(quota.element);
      });
    }
    for (const [state, refuse] of [
      ["refused", { status: 403, code: "not_allowed" }],
      ["failed", { status: 404, code: "not_found" }],
    ] as const) {
      it(`axe finds nothing in ${state}, ${theme}`, async () => {
        mountPage(theme);
        const user = await StubbedUser.open();
        await user.change({ refuse });
        const quota = UserQuotaHarness.mount(user);
        await quota.reaches(state);
        await expectAccessible(quota.element);
      });
    }
    it(`axe finds nothing while loading, loading offline, and shown offline, ${theme}`, async () => {
      mountPage(theme);
      const user = await StubbedUser.open();
      await user.change({ refuse: { status: 503, code: "unavailable" }, delayMs: 300 });
      const quota = UserQuotaHarness.mount(user);
      await quota.reaches("loading");
      await expectAccessible(quota.element);
      await quota.reaches("offline");
      await expectAccessible(quota.element);
      await user.change({ refuse: null, delayMs: 0 });
      quota.button("Intentar de nuevo").click();
      await quota.reaches("shown");
      await user.change({ refuse: "drop" });
      quota.element.refresh();
      await quota.reaches("offline");
      await expectAccessible(quota.element);
    });
  }

  it("tells a screen reader name, status, amounts and movements, and masked no amount at all", async () => {
    mountPage("light");
    const { quota } = await shown({}, { movements: "1" });
    const open = await ariaSnapshotOf(quota.element);
    for (const part of ["Ana María Rojas", "Al día", "275.000", "Puntaje 720 de 1000", 'list "Últimos movimientos"'])
      expectTrue(open.includes(part), `${part}: ${open}`);
    expectTrue(open.includes('button "Ocultar los montos"') && !open.includes("[pressed]"), open);
    quota.element.masked = true;
    await quota.element.updateComplete;
    const masked = await ariaSnapshotOf(quota.within(".card"));
    expectTrue(masked.includes('button "Ocultar los montos" [pressed]'), masked);
    expectTrue(masked.includes("oculto") && !/275|300\.000|720|25\.000/.test(masked), masked);
  });

  it("loading tells its one sentence, and none of what only keeps the place", async () => {
    mountPage("light");
    const user = await StubbedUser.open();
    await user.change({ delayMs: 1_500 });
    const quota = UserQuotaHarness.mount(user);
    await quota.reaches("loading");
    const told = await ariaSnapshotOf(quota.element);
    expectTrue(told.includes("Cargando tu cupo"), told);
    expectTrue(!/Cupo disponible|button|list/.test(told), told);
  });

  it("the buttons are reached and pressed by keyboard, in the order in which they are seen", async () => {
    const { quota } = await shown();
    const buttons = [...(quota.element.shadowRoot?.querySelectorAll("button") ?? [])];
    expectEqual(
      buttons.map((button) => [button.tabIndex, button.disabled]),
      [
        [0, false],
        [0, false],
      ],
    );
    const [mask, refresh] = buttons.map((button) => button.getBoundingClientRect());
    expectTrue((mask?.top ?? 0) < (refresh?.top ?? 0), "the mask comes first");
    expectTrue(
      buttons.every((button) => button.getBoundingClientRect().height >= 48 && button.offsetWidth >= 44),
      "large enough for a finger",
    );
  });

  it("fits a page of 320 px without scrolling sideways, in both directions", async () => {
    for (const direction of ["ltr", "rtl"]) {
      document.documentElement.dir = direction;
      await setMediaFeatures({ width: 320 });
      const long = { name: "Ferretería".repeat(6), quota: 99_999_999_999.99, quota_available: 9_999_999_999.99 };
      const { quota } = await shown(long);
      expectTrue(document.documentElement.scrollWidth <= 320, document.documentElement.scrollWidth);
      quota.element.remove();
    }
  });

  it("the score's bar and the status's icon are seen also in forced colours", async () => {
    for (const forcedColors of ["none", "active"] as const) {
      await setMediaFeatures({ forcedColors });
      const { quota } = await shown();
      expectTrue((await coloursOf(quota.within(".meter"))) > 1, `the bar, ${forcedColors}`);
      expectTrue((await coloursOf(quota.within(".status .icon"))) > 1, `the icon, ${forcedColors}`);
      quota.element.remove();
    }
  });

  it("from right to left the bar begins at the right", async () => {
    document.documentElement.dir = "rtl";
    const { quota } = await shown({ score: 500 });
    const [bar, filled] = [quota.within(".meter"), quota.within(".meter rect")].map((one) =>
      one.getBoundingClientRect(),
    );
    expectTrue(Math.abs((bar?.right ?? 0) - (filled?.right ?? 1)) < 2, JSON.stringify([bar, filled]));
    expectTrue((filled?.width ?? 0) < (bar?.width ?? 0) * 0.6, JSON.stringify([bar, filled]));
  });

  it("speaks the nearest language, sentences and numbers both, also when it changes", async () => {
    const { quota } = await shown({ quota: 1234.5, quota_available: 1234.5 }, { lang: "en" });
    expectTrue(quota.text.includes("Up to date Available balance COP 1,234.50"), quota.text);
    expectTrue(
      /To Café La Candelaria QR payment · (today|yesterday|[A-Z]\w\w \d\d? [A-Z]\w\w), \d\d:\d\d/.test(quota.text),
      quota.text,
    );
    quota.element.lang = "pt-BR";
    await nextFrame();
    await quota.element.updateComplete;
    expectTrue(quota.text.includes("Em dia Saldo disponível COP 1.234,50"), quota.text);
    quota.element.lang = "fr";
    await nextFrame();
    await quota.element.updateComplete;
    expectTrue(quota.text.includes("Al día Cupo disponible $ 1.234,50"), quota.text);
    expectEqual(quota.within(".card").lang, "es");
  });

  it("nothing moves under reduced motion", async () => {
    await setMediaFeatures({ reducedMotion: "reduce" });
    const user = await StubbedUser.open();
    await user.change({ delayMs: 300 });
    const quota = UserQuotaHarness.mount(user);
    await quota.reaches("loading");
    expectEqual(quota.element.shadowRoot?.getAnimations().length, 0);
  });
});
