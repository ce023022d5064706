import { words } from "../../src/language/es/app/start.ts";
import { words as welcome } from "../../src/language/es/app/welcome.ts";
import { inAppColours } from "../../test/support/open-app-page.ts";
import { expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
import { answers, looksRight, open, refuses, says } from "./account-page-harness.ts";
import "./lock-page.ts";
import "./welcome-page.ts";

inAppColours("welcome");

describe("the welcome", () => {
  it("without a demo has the passkey and a word for the invited, and no empty place", async () => {
    const opened = await open("cupo-welcome-page");
    await says(opened, welcome.signIn, welcome.invitedText);
    expectTrue(!opened.said().includes(welcome.demo), opened.said());
    await looksRight(opened);
  });

  it("says that an account is frozen, and who lifts that", async () => {
    const opened = await open("cupo-welcome-page", { state: { frozen: true } });
    await says(opened, words.passkey.frozen.title, words.passkey.frozen.text);
    await looksRight(opened);
  });

  it("tells a browser that keeps no session from a sign-in that failed", async () => {
    const api = { demoPeople: answers([{ person: "payer", name: "Ana", role: "payer" }]), demoSignIn: answers({}) };
    const opened = await open("cupo-welcome-page", { api, refresh: refuses("unauthorized") });
    await says(opened, welcome.continueAs("Ana"));
    opened.page.shadowRoot?.querySelector<HTMLButtonElement>("button.person")?.click();
    await says(opened, welcome.notKept.title, welcome.notKept.text);
    await looksRight(opened);
  });

  it("says what somebody can do who has lost the phone, once that is asked for", async () => {
    const opened = await open("cupo-welcome-page");
    const root = opened.page.shadowRoot;
    const details = root?.querySelector("details");
    expectEqual(details?.querySelector("ul")?.checkVisibility(), false);
    details?.querySelector("summary")?.click();
    await until(() => details?.querySelector("ul")?.checkVisibility() === true, "the ways");
    const { after, elsewhere, neither, synced } = welcome.lost;
    await says(opened, elsewhere.text, synced.text, synced.enter, neither.text, after);
    await looksRight(opened);
  });

  it("tells an operator what there is for them", async () => {
    const opened = await open("cupo-welcome-page", { state: { operator: true } });
    await says(opened, welcome.operator.title, words.home.signOut);
    await looksRight(opened);
  });
});

describe("the lock", () => {
  it("of a demo person is opened by a press of the person alone", async () => {
    const opened = await open("cupo-lock-page", { hasPasskey: false });
    await says(opened, words.lock.demo);
    await looksRight(opened);
    opened.page.shadowRoot?.querySelector("button")?.click();
    expectEqual(opened.unlocked(), 0);
  });
});
