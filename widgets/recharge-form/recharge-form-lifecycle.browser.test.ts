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
import { RechargeFormHarness, StubbedTill } from "./recharge-form-harness.ts";
import "../recharge-form.ts";

async function mountAndRemove(till: StubbedTill, times: number): Promise<void> {
  for (let mounts = 0; mounts < times; mounts++) {
    const form = RechargeFormHarness.mount(till);
    const waitMs = mounts % 10 === 0 ? 20 : mounts % 10 === 1 ? 0 : undefined;
    if (waitMs !== undefined) await pause(waitMs);
    form.remove();
  }
}

/** True if the browser would ask before it leaves the page. */
function pageIsHeld(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

describe("<recharge-form> lives in any page", () => {
  afterEach(afterEachPage);

  it("moved in the document or left out for a while, it keeps its session and what was found", async () => {
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.withPerson(till);
    const place = document.createElement("main");
    document.body.append(place);
    place.append(form.element);
    await pause(100);
    form.remove();
    await pause(100);
    document.body.append(form.element);
    await pause(100);
    const { sessionsAsked, lookUps } = await till.seen();
    expectEqual([form.element.phase, sessionsAsked, lookUps], ["amount", 1, 1]);
  });

  it("removed while it sells, it tells the outcome all the same", async () => {
    const till = await StubbedTill.open();
    const form = await RechargeFormHarness.confirming(till);
    await till.becomes({ delayMs: 200 });
    await form.sell();
    form.remove();
    await until(() => form.events.includes("recharge-done"), "recharge-done");
    document.body.append(form.element);
    await form.reaches("receipt");
    await pause(100);
    const { tries, sold } = await till.seen();
    expectEqual([tries.length, sold, form.events], [1, 1, ["recharge-done"]]);
  });

  it("the browser asks before it leaves while, and only while, a sale's outcome is not known on the page", async () => {
    const till = await StubbedTill.open();
    await till.becomes({ outcome: "running" });
    const form = await RechargeFormHarness.confirming(till);
    const held = [pageIsHeld()];
    await form.sell();
    held.push(pageIsHeld());
    await form.reaches("unsure");
    held.push(pageIsHeld());
    form.remove();
    await pause(0);
    held.push(pageIsHeld());
    document.body.append(form.element);
    await until(pageIsHeld, "the page being held again");
    await till.becomes({ outcome: "approved" });
    form.press("Consultar de nuevo");
    await form.reaches("receipt");
    held.push(pageIsHeld());
    expectEqual(held, [false, true, true, false, false]);
  });

  it("removed while the outcome is not known, it asks again when it is back, and never begins anew", async () => {
    const till = await StubbedTill.open();
    await till.becomes({ outcome: "running" });
    const form = await RechargeFormHarness.confirming(till);
    await form.sell();
    await form.reaches("unsure");
    form.remove();
    await pause(50);
    const { tries } = await till.seen();
    await pause(2_600);
    expectEqual((await till.seen()).tries.length, tries.length);
    await till.becomes({ outcome: "approved" });
    form.element.restart();
    form.element.sessionUrl = `${till.origin}/shop/${till.name}?again`;
    document.body.append(form.element);
    await form.reaches("receipt");
    const after = await till.seen();
    expectEqual([new Set(after.tries).size, after.sold], [1, 1]);
    expectEqual(form.events, ["recharge-error", "recharge-done"]);
  });

  it("takes fetchSession and other properties that were set before the script came", async () => {
    const till = await StubbedTill.open();
    const early = document.createElement("early-recharge") as HTMLElement & Record<string, unknown>;
    early.fetchSession = async () => ({ session: `ws_${till.name}`, broker: till.origin });
    early.presets = "5000";
    document.body.append(early);
    const { RechargeForm } = await import("./recharge-form.ts");
    customElements.define("early-recharge", class extends RechargeForm {});
    await until(() => early.matches(":state(find)"), "find");
    expectEqual(early.presets, "5000");
  });

  it("a fetchSession that throws is recharge-error no_session, and the page sees its own error", async () => {
    const own = new Error("not signed in");
    const element = document.createElement("recharge-form");
    element.fetchSession = () => Promise.reject(own);
    let code = "";
    element.addEventListener("recharge-error", (event) => {
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
    const host = document.createElement("div");
    document.body.append(host);
    const form = await RechargeFormHarness.confirming(await StubbedTill.open());
    host.attachShadow({ mode: "open" }).append(form.element);
    const heard = documentHears("recharge-done");
    await form.sell();
    await form.reaches("receipt");
    expectTrue(heard.target === host, heard.target);
  });

  it("as it ships it sells under a strict policy, loaded twice, without one violation", async function () {
    this.timeout(60_000);
    const till = await StubbedTill.open();
    const told: Record<string, unknown>[] = [];
    const frame = document.createElement("iframe");
    const listen = ({ data, source }: MessageEvent) => {
      if (source === frame.contentWindow) told.push(data);
    };
    window.addEventListener("message", listen);
    frame.src = `${till.origin}/strict.html?element=recharge-form&payment=${till.name}`;
    document.body.append(frame);
    const say = (what: object) => frame.contentWindow?.postMessage(what, "*");
    const work = () => {
      say({ selector: "[role=radiogroup] ~ label .typed", text: "300 123 4567" });
      say({ selector: "p ~ form > label .typed", text: "12.500" });
      say({ selector: ".outcome ~ .actions [part~=way-on]" });
      return told.length > 0;
    };
    await until(work, "recharge-done", 30_000);
    window.removeEventListener("message", listen);
    const text = String(told[0]?.text).replace(/\s+/g, " ");
    expectTrue(/hecha ?\$ 12\.500 ?Marta G./.test(text), text);
    expectEqual(
      told.map(({ event, violation, error }) => event ?? violation ?? error),
      ["recharge-done"],
    );
    expectEqual((await till.seen()).sold, 1);
  });

  only("chromium", "Firefox does not count the nodes and listeners that a page keeps", () => {
    it("1 000 mounts and unmounts leave no listener and no node", async function () {
      this.timeout(60_000);
      const till = await StubbedTill.open();
      await mountAndRemove(till, 50);
      await pause(300);
      const before = await memory();
      await mountAndRemove(till, 1_000);
      await expectNothingKept(before);
    });
  });
});
