import { ApiError } from "../../src/contract/shared/errors.ts";
import { words as account } from "../../src/language/es/app/account.ts";
import { words } from "../../src/language/es/app/start.ts";
import { inAppColours } from "../../test/support/open-app-page.ts";
import { expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
import { deviceNameOf } from "../passkey/device-name.ts";
import { answers, device, ID, looksRight, NOW, open, refuses, says } from "./account-page-harness.ts";
import "./enrol-page.ts";
import "./grants-page.ts";
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

describe("the name of a device", () => {
  it("is there before its owner gives it one", async () => {
    const opened = await open("cupo-enrol-page", { fragment: SECRET, api: { enrolment: answers(asked) } });
    await says(opened, account.enrol.device);
    const field = opened.page.shadowRoot?.querySelector<HTMLInputElement>("[name=device]");
    expectEqual(field?.value, deviceNameOf(navigator.userAgent));
  });

  it("is checked before a passkey is made", async () => {
    let starts = 0;
    const startEnrolment = async () => ({ body: { options: { count: ++starts } } });
    const api = { enrolment: answers(asked), startEnrolment };
    const opened = await open("cupo-enrol-page", { fragment: SECRET, api });
    await says(opened, account.enrol.device);
    const field = (name: string) =>
      opened.page.shadowRoot?.querySelector<HTMLInputElement>(`[name=${name}]`) ?? document.createElement("input");
    field("code").value = "123456";
    field("device").value = "Celular de \u0410na";
    field("device").form?.requestSubmit();
    await says(opened, account.devices.nameFault.title, account.devices.nameFault.text);
    expectEqual(starts, 0);
    await looksRight(opened);
  });

  it("is sent as people see it, and not at all where it imitates another", async () => {
    const sent: unknown[] = [];
    const renameDevice = async ({ body }: { readonly body: { readonly name: string } }) => {
      sent.push(body.name);
      return { body: { ...device, ...body } };
    };
    const opened = await open("cupo-profile-page", { api: { renameDevice } });
    await says(opened, account.devices.title);
    const section = opened.page.shadowRoot?.querySelector("cupo-devices-section")?.shadowRoot;
    const rename = async (name: string): Promise<void> => {
      await until(() => section?.querySelector("button.round") != null, "the device");
      section?.querySelector<HTMLElement>("button.round")?.click();
      await until(() => section?.querySelector("#name") != null, "the field");
      const field = section?.querySelector("#name") as HTMLInputElement;
      field.value = name;
      field.form?.requestSubmit();
    };
    await rename("Cel de Nin\u0303o \u2764\ufe0f\u200b ");
    await says(opened, "Cel de Ni\u00f1o \u2764");
    await rename("iPh\u043ene");
    await says(opened, account.devices.nameFault.text);
    expectEqual(sent, ["Cel de Ni\u00f1o \u2764"]);
  });
});

describe("who sees the quota", () => {
  const grant = { id: ID, merchant: "Café La Candelaria", created_at: NOW, lapses_at: LATER, last_used_at: null };

  it("is taken the leave away once that is meant", async () => {
    const revoked: unknown[] = [];
    const revokeGrant = async (call: unknown) => {
      revoked.push(call);
      return { body: {} };
    };
    const opened = await open("cupo-grants-page", { api: { myGrants: answers([grant]), revokeGrant } });
    const { title, text } = account.grants.asking(grant.merchant);
    const press = (selector: string) => opened.page.shadowRoot?.querySelector<HTMLElement>(selector)?.click();
    await says(opened, grant.merchant);
    await looksRight(opened);
    press(".grant > button");
    await says(opened, title, text);
    await until(() => opened.page.shadowRoot?.activeElement?.id === "question", "the focus");
    await looksRight(opened);
    press(".asked button:not(.danger)");
    await until(() => !opened.said().includes(title), "no question");
    expectEqual(revoked, []);
    press(".grant > button");
    await says(opened, title);
    press(".asked .danger");
    await says(opened, account.grants.none.title);
    expectEqual(revoked, [{ params: { id: ID } }]);
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
