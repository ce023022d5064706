import { ApiError } from "../../src/contract/shared/errors.ts";
import { words as account } from "../../src/language/es/app/account.ts";
import { words } from "../../src/language/es/app/start.ts";
import { inAppColours } from "../../test/support/open-app-page.ts";
import { expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
import { answers, device, ID, looksRight, NOW, open, refuses, says } from "./account-page-harness.ts";
import "./enrol-page.ts";
import "./profile-page.ts";

const SECRET = `en_${"A".repeat(43)}`;
const LATER = "2026-04-01T18:00:00.000Z";
const asked = { name: "Ana Torres", kind: "person", delayed: false, waiting: false, tries_left: 5, expires_in: 540 };

inAppColours("account");

describe("an invitation", () => {
  it("greets the person, asks for the code, and takes its secret out of the address first", async () => {
    const opened = await open("cupo-enrol-page", { fragment: SECRET, api: { enrolment: answers(asked) } });
    await says(opened, account.enrol.hello("Ana"), account.enrol.codeHint);
    expectEqual(opened.gone, ["/here"]);
    await looksRight(opened);
  });

  it("says before anything is made that a second device pays later", async () => {
    const enrolment = answers({ ...asked, delayed: true });
    const opened = await open("cupo-enrol-page", { fragment: SECRET, api: { enrolment } });
    await says(opened, account.enrol.delayed);
    await looksRight(opened);
  });

  it("lets an operator in as one", async () => {
    const enrolment = answers({ ...asked, kind: "operator" });
    await says(await open("cupo-enrol-page", { fragment: SECRET, api: { enrolment } }), account.enrol.operator);
  });

  it("that waits for a second operator can be asked for again", async () => {
    let waiting = true;
    const enrolment = async () => ({ body: { ...asked, waiting } });
    const opened = await open("cupo-enrol-page", { fragment: SECRET, api: { enrolment } });
    await says(opened, account.enrol.waiting.title);
    await looksRight(opened);
    waiting = false;
    opened.page.shadowRoot?.querySelector("button")?.click();
    await says(opened, account.enrol.hello("Ana"));
  });

  it("that is over, or whose secret is gone, says what to do", async () => {
    const over = await open("cupo-enrol-page", {
      fragment: SECRET,
      api: { enrolment: refuses("enrolment_not_found") },
    });
    await says(over, account.enrol.over.title, account.enrol.signIn);
    await looksRight(over);
    await says(await open("cupo-enrol-page"), account.enrol.missing.text);
  });

  it("asks nobody for a code of other than six digits", async () => {
    const opened = await open("cupo-enrol-page", { fragment: SECRET, api: { enrolment: answers(asked) } });
    await says(opened, account.enrol.codeHint);
    const code = opened.page.shadowRoot?.querySelector<HTMLInputElement>("#code");
    if (!code) throw new Error("no field");
    code.value = "12 34-5x6789";
    code.dispatchEvent(new InputEvent("input"));
    expectEqual(code.value, "123456");
    code.value = "123";
    code.form?.requestSubmit();
    await says(opened, account.enrol.codeMissing);
  });

  it("tells a browser without passkeys so, and that it stays good elsewhere", async () => {
    const known = Object.getOwnPropertyDescriptor(globalThis, "PublicKeyCredential");
    Reflect.deleteProperty(globalThis, "PublicKeyCredential");
    try {
      const opened = await open("cupo-enrol-page", { fragment: SECRET, api: { enrolment: answers(asked) } });
      await says(opened, words.passkey.unsupported.title);
    } finally {
      if (known !== undefined) Object.defineProperty(globalThis, "PublicKeyCredential", known);
    }
  });
});

describe("the profile", () => {
  it("shows devices, limits and what is set on this device", async () => {
    const opened = await open("cupo-profile-page");
    await says(
      opened,
      "Ana Torres",
      "Chrome, Android",
      account.devices.current,
      "Hasta $\u00a0100.000".replace("\u00a0", " "),
    );
    await looksRight(opened);
  });

  it("offers to install the app once the browser can, which is asked once", async () => {
    const opened = await open("cupo-profile-page");
    await says(opened, account.settings.title);
    expectTrue(!opened.said().includes(account.install.title), "an offer before the browser can");
    let questions = 0;
    dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt: async () => questions++ }));
    await says(opened, account.install.title, account.install.text);
    await looksRight(opened);
    opened.page.shadowRoot?.querySelector("cupo-install-section")?.shadowRoot?.querySelector("button")?.click();
    await until(() => !opened.said().includes(account.install.title), "no offer any more");
    expectEqual(questions, 1);
  });

  it("begins at the section that its address names, and at its name where there is none", async () => {
    for (const [fragment, heading] of [
      ["limits", account.limits.title],
      ["nothing%20such", "Ana Torres"],
    ] as const) {
      const { page } = await open("cupo-profile-page", { fragment });
      page.focusHeading();
      const focused = page.shadowRoot?.activeElement;
      expectEqual((focused?.shadowRoot?.activeElement ?? focused)?.textContent, heading);
    }
  });

  it("freezes the account once that is meant, and shows what was changed", async () => {
    let freezes = 0;
    const freezeMe = async () => ({ body: { frozen: ++freezes > 0 } });
    const myAccountChanges = answers([{ id: ID, kind: "limits_changed", at: NOW, here: true }]);
    const opened = await open("cupo-profile-page", { api: { freezeMe, myAccountChanges } });
    await says(opened, account.freeze.text, account.changes.kinds.limits_changed);
    const section = opened.page.shadowRoot?.querySelector("cupo-freeze-section")?.shadowRoot;
    section?.querySelector("button")?.click();
    await says(opened, account.freeze.asking.title);
    await looksRight(opened);
    expectEqual(freezes, 0);
    section?.querySelector<HTMLElement>(".asked .danger")?.click();
    await until(() => opened.gone.includes("/welcome"), "the welcome");
    expectEqual(freezes, 1);
  });

  it("asks whoever has an older device whether a new one is theirs", async () => {
    const newcomer = { ...device, id: ID.replace("7", "8"), current: false, may_pay_from: LATER, last_used_at: null };
    const opened = await open("cupo-profile-page", { api: { myDevices: answers([newcomer, device]) } });
    await says(opened, account.devices.isNew.title, account.devices.unused);
    await looksRight(opened);
  });

  it("does not ask the new device itself", async () => {
    const fresh = { ...device, may_pay_from: LATER };
    const opened = await open("cupo-profile-page", { api: { myDevices: answers([fresh]) } });
    await says(opened, "Podrá pagar desde");
    expectTrue(!opened.said().includes(account.devices.isNew.title), opened.said());
  });

  it("says which part could not be asked for, and asks again", async () => {
    let isDown = true;
    const mySessions = async () => {
      if (isDown) throw new ApiError("unavailable");
      return { body: [{ id: ID, browser: null, created_at: NOW, last_active_at: NOW, current: false }] };
    };
    const opened = await open("cupo-profile-page", { api: { mySessions } });
    await says(opened, words.failures.service_unavailable.title);
    await looksRight(opened);
    isDown = false;
    const section = opened.page.shadowRoot?.querySelector("cupo-sessions-section");
    section?.shadowRoot?.querySelector<HTMLElement>(".failure button")?.click();
    await says(opened, account.sessions.unknown, account.sessions.end);
  });
});
