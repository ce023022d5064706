import jsQR from "jsqr";
import { NoAnswerError } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { expectNoFault, type Given, inAppColours, openPage, shows } from "../../test/support/open-app-page.ts";
import { afterEachPage, expectEqual, expectTrue, pixelsOf, until } from "../../widgets/shared/browser-test.ts";
import type { Page } from "../context/page.ts";
import "./receipt-page.ts";
import "./verify-page.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const PAYER = "01890a5d-ac96-774b-bcce-b302099a8058";
const TOKEN = "E".repeat(123);

const sale: Movement = {
  ...{ id: ID, reference: "7K3M9QXT2V4FW", kind: "qr", status: "approved", direction: "received" },
  ...{ counterparty: "Ana Torres", counterparty_id: PAYER, amount: 25_000.5, currency: "COP" },
  created_at: "2026-03-31T14:05:00.000Z",
  ...{ note: "dos cafés", receipt: TOKEN, check_code: "7K3M9QXT" },
};
function link(page: Page, start: string): string | null | undefined {
  return page.shadowRoot?.querySelector(`a[href^="${start}"]`)?.getAttribute("href");
}
inAppColours();

describe("a receipt", () => {
  it("shows who, how much, when, the note and the code, and leads to the refund of what is left", async () => {
    const { page, text } = await openPage("cupo-receipt-page", { movement: { ...sale, reversed_amount: 5_000.2 } });
    shows(
      text(),
      "De Ana Torres",
      "Para Café La Esquina",
      "25.000,50",
      "Devuelto en parte",
      "7K3M-9QXT-2V4F-W",
      "dos cafés",
      "7K3M 9QXT",
    );
    shows(text(), "20.000,30");
    expectEqual(link(page, "/refund"), `/refund#${ID}`);
  });

  it("has a QR that leads to the page which checks it", async () => {
    const { page } = await openPage("cupo-receipt-page", { movement: sale });
    const plate = page.shadowRoot?.querySelector(".plate");
    if (!plate) throw new Error("no plate");
    const { data, height, width } = await pixelsOf(plate);
    expectEqual(jsQR(data, width, height)?.data, `${location.origin}/v#${TOKEN}`);
  });

  it("offers no refund of what was sent, given back whole, transferred, or is a refund itself", async () => {
    for (const change of [
      { direction: "sent" },
      { status: "reversed", reversed_amount: 25_000.5 },
      { kind: "transfer" },
      { kind: "refund", reverses: TOKEN },
    ] as const) {
      const { page } = await openPage("cupo-receipt-page", { movement: { ...sale, ...change } });
      expectEqual(link(page, "/refund"), undefined);
      if ("reverses" in change) expectEqual(link(page, "/receipt"), `/receipt#${TOKEN}`);
      afterEachPage();
    }
  });

  it("of a payment that was not made says why, and proves nothing", async () => {
    const { receipt: _, check_code: __, ...rest } = sale;
    const movement = { ...rest, direction: "sent", status: "rejected", reason: "insufficient_balance" } as const;
    const { page, text } = await openPage("cupo-receipt-page", { movement });
    shows(text(), "A Ana Torres", "No se pagó", "Tu cupo no alcanza");
    expectEqual([page.shadowRoot?.querySelector(".plate"), text().includes("Compartir")], [null, false]);
  });

  it("of a payment to a merchant of another name than its user's has both names", async () => {
    const movement = { ...sale, direction: "sent", counterparty: "Café La Esquina", merchant: "Mi Tienda" } as const;
    const { text } = await openPage("cupo-receipt-page", { movement });
    shows(text(), "A Café La Esquina", "Comercio Mi Tienda");
  });

  it("of a transfer that was sent leads to the same once more, and no other does", async () => {
    for (const [change, again] of [
      [{ kind: "transfer", direction: "sent" }, `/transfer#${ID}`],
      [{ kind: "transfer" }, undefined],
      [{ direction: "sent" }, undefined],
    ] as const) {
      const { page } = await openPage("cupo-receipt-page", { movement: { ...sale, ...change } });
      expectEqual(link(page, "/transfer"), again);
      afterEachPage();
    }
  });

  it("names whoever has paid the person since in full, in what was sent before too", async () => {
    const movement = { ...sale, kind: "transfer", direction: "sent", counterparty: "Ana T." } as const;
    const { text } = await openPage("cupo-receipt-page", { movement, store: { movements: async () => [sale] } });
    shows(text(), "A Ana Torres");
    expectTrue(!text().includes("Ana T."), text());
  });

  it("takes a nickname for the other party, which is not on what is shared, and takes it away", async () => {
    const put: unknown[] = [];
    const putMyNickname = async (asked: { body: unknown }) => void put.push(asked);
    const myNicknames = async () => ({ body: [{ user_id: PAYER, nickname: "Vecina" }] });
    const given = { movement: sale, api: { putMyNickname, myNicknames }, session: { shownId: PAYER } };
    const { page, text, announced } = await openPage("cupo-receipt-page", given);
    const section = page.shadowRoot?.querySelector("cupo-nickname-section");
    const shown = (): string => section?.shadowRoot?.querySelector("summary")?.textContent ?? "";
    const save = async (nickname: string): Promise<void> => {
      const input = section?.shadowRoot?.querySelector("input");
      if (input) input.value = nickname;
      section?.shadowRoot?.querySelector("form")?.requestSubmit();
      await until(() => announced.length === put.length && put.length > 0, "the end");
    };
    await until(() => shown() === "Apodo: Vecina", "the nickname");
    await save(" Vecina\u202e del 3 ");
    await until(() => shown() === "Apodo: Vecina del 3", "the other nickname");
    await save("  ");
    await until(() => shown() === "Ponerle un apodo", "no nickname");
    expectEqual(put, [
      { params: { user_id: PAYER }, body: { nickname: "Vecina del 3" } },
      { params: { user_id: PAYER }, body: { nickname: null } },
    ]);
    expectEqual(announced, ["Apodo guardado", "Se quitó el apodo"]);
    expectTrue(!text().includes("Vecina"), text());
  });

  it("says why a nickname was not kept, and keeps what was typed", async () => {
    let refusal: Error = new NoAnswerError("no answer");
    const putMyNickname = async () => {
      throw refusal;
    };
    const { page } = await openPage("cupo-receipt-page", { movement: sale, api: { putMyNickname } });
    const section = page.shadowRoot?.querySelector("cupo-nickname-section")?.shadowRoot;
    const input = section?.querySelector("input");
    const fault = (): string => section?.querySelector("#failure")?.textContent ?? "";
    for (const said of ["No se pudo guardar", "Ya tienes 200 apodos"]) {
      if (input) input.value = "Vecina";
      section?.querySelector("form")?.requestSubmit();
      await until(() => fault().startsWith(said), said);
      expectEqual(input?.value, "Vecina");
      refusal = new ApiError("not_allowed");
    }
  });

  it("keeps amounts hidden where they are hidden, and the QR that carries them, until it is told to show", async () => {
    const { page, text } = await openPage("cupo-receipt-page", { movement: sale, masked: true });
    expectEqual([text().includes("25.000"), page.shadowRoot?.querySelector(".plate")], [false, null]);
    page.shadowRoot?.querySelector<HTMLElement>(".acts button")?.click();
    await page.updateComplete;
    shows(text(), "25.000,50", "7K3M 9QXT");
  });

  it("says what to do when it is not there, and when nobody can be asked", async () => {
    shows((await openPage("cupo-receipt-page")).text(), "Este comprobante no está en tu cuenta");
    afterEachPage();
    const store = { isComplete: false, problem: { failure: "no_connection" } };
    shows((await openPage("cupo-receipt-page", { store })).text(), "Sin conexión", "Intentar de nuevo");
  });

  it("that comes later keeps the keyboard's place, and one that changes is shown as it is now", async () => {
    const kept: { movement?: Movement } = {};
    const store = { isComplete: false, movement: async () => kept.movement };
    const { page, text } = await openPage("cupo-receipt-page", { store }, "h1");
    page.focusHeading();
    const say = () => page.context.store.dispatchEvent(new Event("change"));
    kept.movement = sale;
    say();
    await until(() => page.shadowRoot?.activeElement?.textContent === "De Ana Torres", "the focus");
    kept.movement = { ...sale, status: "reversed", reversed_amount: sale.amount };
    say();
    await until(() => text().includes("Devuelto"), "the refund");
  });

  it("is shared as its words and its link, and copied where nothing can be shared", async () => {
    const shared: unknown[] = [];
    const { page, announced } = await openPage("cupo-receipt-page", { movement: sale });
    const share = Object.getOwnPropertyDescriptor(Navigator.prototype, "share");
    const press = () => page.shadowRoot?.querySelector<HTMLElement>(".acts .primary")?.click();
    try {
      Object.defineProperty(navigator, "share", { configurable: true, value: async (it: unknown) => shared.push(it) });
      press();
      await until(() => shared.length === 1, "a share");
    } finally {
      Reflect.deleteProperty(navigator, "share");
    }
    const { text, url } = shared[0] as { text: string; url: string };
    expectEqual(url, `${location.origin}/v#${TOKEN}`);
    shows(text.replaceAll("\u00a0", " "), "Pago con QR de $ 25.000,50. De Ana Torres, referencia 7K3M-9QXT-2V4F-W.");
    if (share !== undefined) return;
    const clipboard = { writeText: async (it: string) => void shared.push(it) };
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
    press();
    await until(() => announced.length === 1, "a copy");
    expectEqual([shared[1], announced], [`${text}\n${url}`, ["Comprobante copiado"]]);
  });

  it("axe finds nothing, light or dark", async () => {
    await expectNoFault("cupo-receipt-page", { movement: sale });
  });
});

const verified = {
  ...{ kind: "qr", status: "approved", reference: "7K3M9QXT2V4FW", payer: "Ana T.", payee: "Café La Esquina" },
  ...{ amount: 25_000, currency: "COP", created_at: "2026-03-31T14:05:00.000Z", check_code: "7K3M9QXT" },
};

function answering(answer: () => Promise<unknown>): Given {
  return { fragment: TOKEN, api: { verifyReceipt: answer } };
}

describe("the page that checks a receipt", () => {
  it("says in its heading how a genuine one stands, whole, given back in part, or given back", async () => {
    const heading = async (change: object): Promise<string | undefined> => {
      const { page, text } = await openPage(
        "cupo-verify-page",
        answering(async () => ({ body: { ...verified, ...change } })),
      );
      shows(text(), "Ana T.", "Café La Esquina", "25.000", "7K3M 9QXT");
      const title = page.shadowRoot?.querySelector("h1")?.textContent ?? "";
      afterEachPage();
      return title;
    };
    expectEqual(await heading({}), "Comprobante auténtico");
    expectEqual(await heading({ reversed_amount: 100 }), "Auténtico, devuelto en parte");
    expectEqual(
      await heading({ status: "reversed", reversed_amount: 25_000 }),
      "Auténtico, pero el dinero se devolvió",
    );
  });

  it("says of all that is none of ours not to take it for a payment, and shows no figure", async () => {
    for (const code of ["receipt_not_authentic", "invalid_request"] as const) {
      const refuse = async () => Promise.reject(new ApiError(code));
      const { text } = await openPage("cupo-verify-page", answering(refuse));
      shows(text(), "No es un comprobante de Cupo", "No lo aceptes como pago");
      expectTrue(!text().includes("auténtico"), text());
      afterEachPage();
    }
  });

  it("never says that a receipt is false because it could not be asked about, and asks again", async () => {
    let offline = true;
    const answer = async () => (offline ? Promise.reject(new NoAnswerError("no answer")) : { body: verified });
    const { page, text } = await openPage("cupo-verify-page", answering(answer));
    shows(text(), "Sin conexión");
    expectTrue(!text().includes("No es un comprobante"), text());
    offline = false;
    page.shadowRoot?.querySelector<HTMLElement>("button.primary")?.click();
    await until(() => text().includes("Comprobante auténtico"), "the receipt");
  });

  it("axe finds nothing, light or dark", async () => {
    const body = { ...verified, reversed_amount: 100 };
    await expectNoFault(
      "cupo-verify-page",
      answering(async () => ({ body })),
    );
  });
});
