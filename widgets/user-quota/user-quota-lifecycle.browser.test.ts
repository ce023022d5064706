import {
  afterEachPage,
  documentHears,
  expectEqual,
  expectNothingKept,
  expectTrue,
  memory,
  only,
  pageErrorsDuring,
  pause,
  until,
} from "../shared/browser-test.ts";
import type { QuotaDetail } from "./user-quota-events.ts";
import { StubbedUser, UserQuotaHarness } from "./user-quota-harness.ts";
import "../user-quota.ts";

async function mountAndRemove(user: StubbedUser, times: number): Promise<void> {
  for (let mounts = 0; mounts < times; mounts++) {
    const quota = UserQuotaHarness.mount(user);
    const waitMs = mounts % 10 === 0 ? 20 : mounts % 10 === 1 ? 0 : undefined;
    if (waitMs !== undefined) await pause(waitMs);
    quota.element.remove();
  }
}

describe("<user-quota> lives in any page", () => {
  afterEach(afterEachPage);

  it("moved in the document or left out for a while, it keeps its session and what it shows", async () => {
    const user = await StubbedUser.open();
    const quota = UserQuotaHarness.mount(user);
    await quota.reaches("shown");
    const place = document.createElement("main");
    document.body.append(place);
    place.append(quota.element);
    await pause(100);
    quota.element.remove();
    await pause(100);
    await user.becomes({ score: 5 });
    document.body.append(quota.element);
    expectTrue(quota.text.includes("720"), quota.text);
    await until(() => quota.count("quota-loaded") === 2, "the new score");
    expectEqual((await user.seen()).sessionsAsked, 1);
  });

  it("removed while its session begins and put back at once, it asks for one session", async () => {
    const user = await StubbedUser.open();
    await user.change({ delayMs: 100 });
    const quota = UserQuotaHarness.mount(user);
    await quota.element.updateComplete;
    quota.element.remove();
    await Promise.resolve();
    await Promise.resolve();
    document.body.append(quota.element);
    await quota.reaches("shown");
    expectEqual([(await user.seen()).sessionsAsked, quota.count("quota-error")], [1, 0]);
  });

  it("takes fetchSession and other properties that were set before the script came", async () => {
    const user = await StubbedUser.open();
    const early = document.createElement("early-quota") as HTMLElement & Record<string, unknown>;
    early.fetchSession = async () => ({ session: `ws_${user.name}`, broker: user.origin });
    early.masked = true;
    early.movements = 1;
    document.body.append(early);
    const { UserQuota } = await import("./user-quota.ts");
    customElements.define("early-quota", class extends UserQuota {});
    await until(() => early.matches(":state(shown)"), "shown");
    await (early as unknown as { updateComplete: Promise<void> }).updateComplete;
    expectEqual(early.shadowRoot?.querySelectorAll("li").length, 1);
    expectTrue(early.matches(":state(masked)") && early.hasAttribute("masked"), "masked");
    expectTrue(!early.shadowRoot?.textContent?.includes("275"), early.shadowRoot?.textContent);
  });

  it("a fetchSession that throws is quota-error no_session, and the page sees its own error", async () => {
    const own = new Error("not signed in");
    const element = document.createElement("user-quota");
    element.fetchSession = () => Promise.reject(own);
    let code = "";
    element.addEventListener("quota-error", (event) => {
      code = event.detail.code;
    });
    const errors = await pageErrorsDuring(async () => {
      document.body.append(element);
      await until(() => element.phase === "failed", "failed");
    });
    expectEqual(code, "no_session");
    expectTrue(errors[0] === own, errors);
  });

  it("its events reach the document out of shadow roots, where it finds the language around them", async () => {
    const user = await StubbedUser.open();
    const host = document.createElement("div");
    host.lang = "pt";
    document.body.append(host);
    const quota = UserQuotaHarness.mount(user);
    const heard = documentHears("quota-loaded");
    host.attachShadow({ mode: "open" }).append(quota.element);
    await quota.reaches("shown");
    expectTrue(heard.target === host, heard.target);
    expectTrue(quota.text.includes("Saldo disponível"), quota.text);
  });

  it("as it ships it works under a strict policy, loaded twice, without one violation", async function () {
    this.timeout(60_000);
    const user = await StubbedUser.open({ status: "arrear" });
    const told: Record<string, unknown>[] = [];
    const frame = document.createElement("iframe");
    const listen = ({ data, source }: MessageEvent) => {
      if (source === frame.contentWindow) told.push(data);
    };
    window.addEventListener("message", listen);
    frame.src = `${user.origin}/strict.html?element=user-quota&payment=${user.name}`;
    document.body.append(frame);
    await until(() => told.length > 0, "quota-loaded", 30_000);
    const text = String(told[0]?.text).replace(/\s+/g, " ");
    for (const part of ["En mora", "$ 275.000", "Retenido $ 25.000", "Puntaje 720", "Recarga", "No se pagó"])
      expectTrue(text.includes(part), `${part}: ${text}`);
    expectEqual((told[0]?.detail as QuotaDetail | undefined)?.available, 275000);
    window.removeEventListener("message", listen);
    expectEqual(
      told.map(({ event, violation, error }) => event ?? violation ?? error),
      ["quota-loaded"],
    );
  });

  it("removed, it asks nothing more", async () => {
    const user = await StubbedUser.open();
    const quota = UserQuotaHarness.mount(user);
    await quota.reaches("shown");
    quota.element.remove();
    await pause(100);
    window.dispatchEvent(new Event("online"));
    await pause(300);
    expectEqual((await user.seen()).looks.length, 1);
  });

  only("chromium", "Firefox does not count the nodes and listeners that a page keeps", () => {
    it("1 000 mounts and unmounts leave no listener and no node", async function () {
      this.timeout(60_000);
      const user = await StubbedUser.open();
      await mountAndRemove(user, 50);
      await pause(300);
      const before = await memory();
      await mountAndRemove(user, 1_000);
      await expectNothingKept(before);
    });
  });
});
