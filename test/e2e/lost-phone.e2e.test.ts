import { beforeAll, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import { type Authenticator, addAuthenticator, enrol } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();
let lostPhone: Phone;
let passkey: Authenticator;

const button = ({ page }: Phone, name: string) => page.getByRole("button", { name, exact: true });

beforeAll(async () => {
  lostPhone = await fixture.newPhone();
  // The browser logs that its session is over.
  lostPhone.watch.allow(/status of 401 .*\/v1\//);
  passkey = await enrol(fixture.product, lostPhone, "payer");
});

it("whoever lost the phone signs in with the synced passkey and ends its session, or freezes the account", async () => {
  const computer = await fixture.newPhone();
  const { account, welcome } = computer.words;
  const synced = await addAuthenticator(computer.page);
  await computer.open("/");
  await picture(computer.page, "90-welcome");
  await computer.page.getByText(welcome.lost.title, { exact: true }).click();
  await computer.page.getByText(welcome.lost.neither.text).waitFor();
  await picture(computer.page, "91-welcome-lost");
  await passkey.moveTo(synced);
  await button(computer, welcome.lost.synced.enter).click();
  const sessions = computer.page.locator("cupo-sessions-section");
  await sessions.locator("li").nth(1).waitFor();
  await sessions.getByRole("heading", { name: account.sessions.title }).and(computer.page.locator(":focus")).waitFor();
  await picture(computer.page, "92-profile-end-others");
  await button(computer, account.sessions.endOthers).click();
  await button(computer, account.sessions.endOthers).waitFor({ state: "detached" });
  expect(await sessions.locator("li").count()).toBe(1);
  await lostPhone.open("/");
  await lostPhone.page.getByRole("heading", { name: welcome.title }).waitFor();
  await button(computer, account.freeze.ask).waitFor();
});
