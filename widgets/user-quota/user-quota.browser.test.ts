import { afterEachPage, expectEqual, expectTrue, pause, until } from "../shared/browser-test.ts";
import { sampleQuota } from "./sample-quota.ts";
import { StubbedUser, UserQuotaHarness } from "./user-quota-harness.ts";
import "../user-quota.ts";

/** Divides delays of half a minute and more by 100. */
function hurry(): void {
  const { setTimeout: set } = window;
  restoreTime = () => Object.assign(window, { setTimeout: set });
  const hurried = (task: () => void, delayMs = 0) => set(task, delayMs >= 30_000 ? delayMs / 100 : delayMs);
  Object.assign(window, { setTimeout: hurried });
}

let restoreTime: () => void = () => undefined;

/** Headless pages are never hidden, so the test simulates the browser's event. */
function setVisible(visible: boolean): void {
  Object.defineProperty(document, "visibilityState", {
    configurable: true,
    get: () => (visible ? "visible" : "hidden"),
  });
  document.dispatchEvent(new Event("visibilitychange"));
}

async function shown(answer: object = {}, attributes: Readonly<Record<string, string>> = {}) {
  const user = await StubbedUser.open(answer);
  const quota = UserQuotaHarness.mount(user, attributes);
  await quota.reaches("shown");
  return { user, quota };
}

function leavePage(): void {
  restoreTime();
  Reflect.deleteProperty(document, "visibilityState");
  afterEachPage();
}

describe("<user-quota> shows what the user has", () => {
  beforeEach(() => {
    document.documentElement.lang = "es";
  });
  afterEach(leavePage);

  it("quota, what is held, status, score and movements, and tells quota-loaded once", async () => {
    const { user, quota } = await shown();
    const { text } = quota;
    for (const words of [
      "Ana María Rojas",
      "Al día",
      "Cupo disponible $ 275.000",
      "Cupo $ 300.000 · Retenido $ 25.000",
      "Puntaje 720 de 1000",
      "A Café La Candelaria",
      "De Droguería Sol",
      "+$ 12.500,50",
      "No se pagó",
      "Devuelto",
    ])
      expectTrue(text.includes(words), `${words}: ${text}`);
    quota.button("Actualizar").click();
    await until(() => quota.announced.startsWith("Actualizado: hoy"), "the answer to the button");
    expectEqual(
      (await user.seen()).looks.map(({ status }) => status),
      [200, 304],
    );
    expectEqual(quota.heard, [
      {
        type: "quota-loaded",
        detail: {
          available: 275000,
          quota: 300000,
          score: 720,
          status: "active",
          currency: "COP",
          asOf: "2026-11-21T15:00:00.000Z",
        },
      },
    ]);
  });

  it("an amount that is nowhere held stands alone, and a user without quota is told so", async () => {
    const { quota } = await shown({ quota: 500, quota_available: 500 });
    expectTrue(!quota.text.includes("Retenido"), quota.text);
    expectTrue(quota.element.shadowRoot?.querySelector("[part=quota]") === null, "no empty line in its place");
    const { quota: none } = await shown({ quota: null, quota_available: null, score: null, movements: [] });
    expectTrue(none.text.includes("Aún no tienes cupo"), none.text);
    expectTrue(none.text.includes("Aún no hay movimientos"), none.text);
    expectTrue(!none.text.includes("Puntaje"), none.text);
  });

  it("new data takes the place of the old without leaving, keeps the focus, and is told and said", async () => {
    const { user, quota } = await shown();
    const amount = quota.within("[part=amount]");
    quota.button("Actualizar").focus();
    await user.becomes({ quota_available: 111_000 });
    quota.element.refresh();
    await quota.reads("$ 111.000");
    expectTrue(quota.within("[part=amount]") === amount, "the same node");
    expectEqual(quota.element.shadowRoot?.activeElement?.textContent?.trim(), "Actualizar");
    expectEqual(quota.count("quota-loaded"), 2);
    expectEqual(quota.announced, "Cupo disponible: $\u00a0111.000");
  });

  it("as many movements as asked for, and no score where it is not wanted", async () => {
    const { quota } = await shown({}, { movements: "2", "hide-score": "" });
    expectEqual(quota.element.shadowRoot?.querySelectorAll("li").length, 2);
    expectTrue(!quota.text.includes("Puntaje"), quota.text);
    expectEqual((quota.detail("quota-loaded") as { score?: number }).score, undefined);
    for (const [movements, lines] of [
      ["0", 0],
      ["9", 5],
      ["many", 0],
    ] as const) {
      quota.element.setAttribute("movements", movements);
      await quota.element.updateComplete;
      expectEqual(quota.element.shadowRoot?.querySelectorAll("li").length, lines);
    }
  });

  it("the live region is the same node in every state, and so is the element's place", async () => {
    const movements = Array(5).fill({ ...sampleQuota().movements[0], counterparty: "Sol" });
    const user = await StubbedUser.open({ quota: 275_000, movements });
    await user.change({ delayMs: 300 });
    const quota = UserQuotaHarness.mount(user);
    await quota.reaches("loading");
    const region = quota.within("[role=status]");
    const { height } = quota.element.getBoundingClientRect();
    await quota.reaches("shown");
    const shift = quota.element.getBoundingClientRect().height - height;
    expectTrue(Math.abs(shift) < 1, shift);
    await user.change({ refuse: { status: 403, code: "not_allowed" }, delayMs: 0 });
    quota.element.refresh();
    await quota.reaches("refused");
    expectTrue(quota.within("[role=status]") === region, "the same node");
  });

  it("masked, no amount is on the page, not even for a moment, until the person asks for it", async () => {
    const user = await StubbedUser.open();
    const quota = UserQuotaHarness.mount(user, { masked: "" });
    const seen: string[] = [];
    await quota.element.updateComplete;
    const observer = new MutationObserver(() => seen.push(quota.element.shadowRoot?.textContent ?? ""));
    observer.observe(quota.element.shadowRoot ?? document, { subtree: true, childList: true, characterData: true });
    await quota.reaches("shown");
    await pause(50);
    observer.disconnect();
    expectTrue(seen.length > 0 && seen.every((text) => !/275|300\.000|720|25\.000|100\.000/.test(text)), seen);
    expectEqual(quota.announced, "Cupo disponible: oculto");
    expectEqual((quota.detail("quota-loaded") as { available?: number }).available, undefined);
    expectTrue(quota.element.matches(":state(masked)"), "the state");
    quota.mask.focus();
    quota.mask.click();
    await quota.reads("$ 275.000");
    expectEqual(
      [quota.mask.ariaPressed, quota.element.masked, quota.element.hasAttribute("masked")],
      ["false", false, false],
    );
    expectTrue(quota.element.shadowRoot?.activeElement === quota.mask, "the focus stays");
    expectEqual(quota.announced, "Cupo disponible: $\u00a0275.000");
    quota.mask.click();
    await quota.element.updateComplete;
    expectEqual(quota.announced, "Cupo disponible: oculto");
  });
});

describe("<user-quota> asks no more than it needs", () => {
  afterEach(leavePage);

  it("no sooner than 30 s after the last look, one request in flight, and 304 for what is known", async () => {
    hurry();
    const { user } = await shown();
    await pause(1_500);
    const { looks, mostInFlight } = await user.seen();
    expectTrue(looks.length >= 3 && looks.length <= 5, looks.length);
    expectTrue(
      looks.slice(1).every(({ status, at }, index) => status === 304 && at - (looks[index]?.at ?? 0) >= 290),
      JSON.stringify(looks),
    );
    expectEqual(mostInFlight, 1);
  });

  it("not while the page is hidden, at once when it shows or is online again", async () => {
    hurry();
    const { user } = await shown();
    setVisible(false);
    await pause(700);
    expectEqual((await user.seen()).looks.length, 1);
    // From now on it would poll by itself only after half a minute.
    restoreTime();
    setVisible(true);
    await user.looked(2);
    window.dispatchEvent(new Event("online"));
    await user.looked(3);
  });

  it("one session and one request, also when everything asks while the answer is slow", async () => {
    const user = await StubbedUser.open();
    await user.change({ delayMs: 600 });
    const quota = UserQuotaHarness.mount(user);
    for (let times = 0; times < 8; times++) {
      window.dispatchEvent(new Event("online"));
      quota.element.refresh();
      await pause(40);
    }
    await quota.reaches("shown");
    const { looks, mostInFlight, sessionsAsked } = await user.seen();
    expectEqual([looks.length, mostInFlight, sessionsAsked], [1, 1, 1]);
  });

  it("not before Retry-After is over", async () => {
    const { user, quota } = await shown();
    hurry();
    await user.change({ refuse: { status: 429, code: "too_many_requests", retryAfter: 60 } });
    quota.element.refresh();
    await quota.reaches("offline");
    await pause(500);
    expectEqual((await user.seen()).looks.length, 2);
  });
});

describe("<user-quota> when something is wrong", () => {
  beforeEach(() => {
    document.documentElement.lang = "es";
  });
  afterEach(leavePage);

  it("a session that has ended is renewed silently", async () => {
    const { user, quota } = await shown();
    await user.change({ end: true, answer: { score: 800 } });
    quota.element.refresh();
    await quota.reads("Puntaje 800");
    expectEqual((await user.seen()).sessionsAsked, 2);
    expectEqual(quota.heard.map(({ type }) => type).join(" "), "quota-loaded quota-loaded");
  });

  for (const refuse of [
    { status: 403, code: "not_allowed" },
    { status: 401, code: "unauthorized" },
  ]) {
    it(`a permission that was taken back (${refuse.status}) takes the quota away, and can be given again`, async () => {
      const { user, quota } = await shown();
      await user.change({ refuse });
      quota.button("Actualizar").focus();
      quota.element.refresh();
      await quota.reaches("refused");
      expectTrue(quota.text.includes("Este comercio no puede ver tu cupo Conéctalo desde su página."), quota.text);
      expectTrue(!quota.text.includes("275"), quota.text);
      expectEqual(quota.detail("quota-error"), { code: refuse.code, recovering: false });
      expectEqual((await user.seen()).sessionsAsked, refuse.status === 401 ? 2 : 1);
      expectTrue(quota.element.shadowRoot?.activeElement?.matches(".outcome") === true, "the focus stays inside");
      await user.change({ refuse: null });
      quota.button("Actualizar").click();
      await quota.reaches("shown");
    });
  }

  for (const refuse of [{ status: 503, code: "unavailable" }, "drop"]) {
    it(`keeps what it shows, with its time, while the broker answers ${JSON.stringify(refuse)}`, async () => {
      const { user, quota } = await shown();
      await user.change({ refuse });
      quota.button("Actualizar").click();
      await quota.reaches("offline");
      const since = /Sin conexión Actualizado: \S+, 2[12].*nov.* 2026, \d{1,2}:\d\d [ap]\. m\./;
      expectTrue(since.test(quota.text), quota.text);
      expectTrue(quota.text.includes("$ 275.000"), quota.text);
      expectEqual((quota.detail("quota-error") as { recovering: boolean }).recovering, true);
      await user.change({ refuse: null });
      quota.button("Actualizar").click();
      await until(() => quota.announced.startsWith("Actualizado: hoy"), "the announcement");
      expectTrue(!quota.element.matches(":state(offline)"), "no longer offline");
      expectEqual([quota.count("quota-error"), quota.count("quota-loaded")], [1, 1]);
    });
  }

  it("the merchant's refusal is told with its code, and another address begins anew", async () => {
    const user = await StubbedUser.open();
    const quota = UserQuotaHarness.mount(user);
    quota.element.sessionUrl = `${user.origin}/shop/unknown`;
    await quota.reaches("failed");
    expectEqual(quota.detail("quota-error"), { code: "not_found", recovering: false });
    quota.element.sessionUrl = user.sessionUrl;
    await quota.reaches("shown");
  });

  for (const answer of [
    { kind: "pay" },
    { quota: "300" },
    { movements: [{ amount: 1 }] },
    { movements: null },
    { currency: "$" },
  ]) {
    it(`an answer with ${JSON.stringify(answer)} is told, not shown`, async () => {
      const quota = UserQuotaHarness.mount(await StubbedUser.open(answer));
      await quota.reaches("failed");
      expectEqual(quota.detail("quota-error"), { code: "not_understood", recovering: false });
    });
  }
});
