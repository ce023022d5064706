import type { Movement } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { expectNoFault, type Given, inAppColours, openPage, shows } from "../../test/support/open-app-page.ts";
import { expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
import type { Page } from "../context/page.ts";
import "./transfer-page.ts";

const [ID, LUZ, EVA] = [7, 8, 9].map((end) => `01890a5d-ac96-774b-bcce-b302099a805${end}`) as [string, string, string];

const sent: Movement = {
  ...{ id: ID, reference: "7K3M9QXT2V4FW", kind: "transfer", status: "approved", direction: "sent" },
  ...{ counterparty: "Luz M. P.", counterparty_id: LUZ, amount: 8_000, currency: "COP" },
  created_at: "2026-03-31T14:05:00.000Z",
};
const eva: Movement = { ...sent, id: EVA, counterparty: "Eva R.", counterparty_id: EVA, amount: 500 };
const open = { id: ID, state: "open", currency: "COP", expires_in: 120, operation: "transfer", method: "button" };

/** A person who transferred to Luz and Eva, with so much left, and everything that the broker was asked to approve. */
function aPerson(change: Given = {}, available: number | "unknown" = 50_000) {
  const asked: Record<string, unknown>[] = [];
  const openApproval = async ({ body }: { body: Record<string, unknown> }) => {
    asked.push(body);
    const payee = { payee: "Luz M. P.", nickname: "Vecina", first_time_payee: false };
    return { body: { ...open, ...payee, amount: body.amount } };
  };
  const me = { id: ID, currency: "COP", name: "Ana Torres", business_name: null, quota_available: available };
  const refresh = async () => {
    if (available === "unknown") throw new ApiError("unavailable");
    return me;
  };
  const myNicknames = async () => ({ body: [{ user_id: LUZ, nickname: "Vecina" }] });
  const given = {
    api: { openApproval, myNicknames },
    store: { movements: async () => [sent, eva], movement: async (id: string) => (id === ID ? sent : undefined) },
    session: { me, refresh, shownId: ID },
    ...change,
  };
  return { given, asked };
}

const within = <E extends Element = HTMLElement>({ shadowRoot }: Page, selector: string): E[] => [
  ...(shadowRoot?.querySelectorAll<E>(selector) ?? []),
];
const payButton = (page: Page) =>
  within(page, "cupo-pay-button")[0]?.shadowRoot?.querySelector<HTMLButtonElement>("button");

inAppColours("approval");

describe("transfer", () => {
  it("opens with the focus in its field, and offers whom the person transferred to last, by both names", async () => {
    const { page, text } = await openPage("cupo-transfer-page", aPerson().given, ".recent");
    expectEqual(page.shadowRoot?.activeElement?.id, "number");
    await until(() => text().includes("Vecina"), "the nickname");
    const rows = within(page, ".recent").map(({ innerText }) => innerText.replaceAll(/\s+/g, " ").trim());
    expectEqual(rows, ["L Vecina Luz M. P. $ 8.000", "E Eva R. $ 500"]);
  });

  it("to somebody recent is approved after one tap, for the last amount, and the amount can be changed", async () => {
    const { given, asked } = aPerson();
    const { page, text } = await openPage("cupo-transfer-page", given, ".recent");
    within(page, ".recent")[0]?.click();
    await until(() => payButton(page) !== undefined, "the approval");
    expectEqual(asked, [{ contact_id: LUZ, amount: 8_000 }]);
    shows(text(), "Luz M. P.", "Vecina", "8.000");
    within(page, ".plain").at(-1)?.click();
    await until(() => within(page, "cupo-amount-field").length === 1, "the amount");
    const field = within<HTMLElement & { amount: number }>(page, "cupo-amount-field")[0];
    await until(() => field?.amount === 8_000, "the last amount");
    if (field) field.amount = 9_500;
    within<HTMLFormElement>(page, "form")[0]?.requestSubmit();
    await until(() => asked.length === 2, "the other amount");
    expectEqual(asked[1], { contact_id: LUZ, amount: 9_500 });
  });

  it("that is made again from a receipt begins with its person and amount", async () => {
    const { given, asked } = aPerson({ fragment: ID });
    const { page } = await openPage("cupo-transfer-page", given, "cupo-pay-button");
    expectEqual(asked, [{ contact_id: LUZ, amount: 8_000 }]);
    expectEqual(within(page, "#number").length, 0);
  });

  it("hides the last amounts where amounts are hidden", async () => {
    const { page, text } = await openPage("cupo-transfer-page", { ...aPerson().given, masked: true }, ".recent");
    expectEqual([within(page, ".recent").length, text().includes("8.000")], [2, false]);
  });

  it("of more than there is cannot be paid: the page says what is missing and how to get it", async () => {
    const { given } = aPerson({ fragment: ID }, 1_500);
    const { page, text } = await openPage("cupo-transfer-page", given, "cupo-pay-button[blocked]");
    shows(text().replaceAll("\u00a0", " "), "te faltan $ 6.500", "recarga");
    expectEqual(
      within(page, ".foot .primary").map((way) => way.getAttribute("href")),
      ["/receive"],
    );
    await until(() => payButton(page)?.classList.contains("primary") === false, "the button");
    expectEqual(payButton(page)?.disabled, true);
  });

  it("can be paid again once the money has arrived", async () => {
    const { given } = aPerson({ fragment: ID }, 1_500);
    const { page } = await openPage("cupo-transfer-page", given, "cupo-pay-button[blocked]");
    const { session } = page.context;
    Object.assign(session, { me: { ...session.me, quota_available: 9_000 } });
    session.dispatchEvent(new Event("change"));
    await until(() => payButton(page)?.disabled === false, "the button");
  });

  it("can be paid where nobody can say what is left, whatever was known before: the broker decides", async () => {
    const { given } = aPerson({ fragment: ID }, "unknown");
    const { page, text } = await openPage("cupo-transfer-page", given, "cupo-pay-button");
    Object.assign(page.context.session, { me: { ...page.context.session.me, quota_available: 1 } });
    page.context.session.dispatchEvent(new Event("change"));
    await until(() => payButton(page)?.disabled === false, "the button");
    expectTrue(!text().includes("te faltan"), text());
  });

  it("axe finds nothing, light or dark, with recent people and with too little balance", async () => {
    await expectNoFault("cupo-transfer-page", aPerson().given, ".recent");
    await expectNoFault("cupo-transfer-page", aPerson({ fragment: ID }, 1_500).given, "cupo-pay-button[blocked]");
  });
});
