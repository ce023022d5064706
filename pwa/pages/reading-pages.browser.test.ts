import jsQR from "jsqr";
import { NoAnswerError } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker.ts";
import { ApiError } from "../../src/contract/errors.ts";
import {
  afterEachPage,
  expectAccessible,
  expectEqual,
  expectTrue,
  pixelsOf,
  setLook,
  until,
} from "../../widgets/shared/browser-test.ts";
import type { AppContext } from "../app-context.ts";
import { words } from "../language/es.ts";
import type { Page } from "../page.ts";
import "./receipt-page.ts";
import "./summary-page.ts";
import "./verify-page.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const TOKEN = "E".repeat(123);

const sale: Movement = {
  ...{ id: ID, reference: "7K3M9QXT2V4FW", kind: "qr", status: "approved", direction: "received" },
  ...{ counterparty: "Ana Torres", amount: 25_000.5, currency: "COP", created_at: "2026-03-31T14:05:00.000Z" },
  ...{ note: "dos cafés", receipt: TOKEN, check_code: "7K3M9QXT" },
};

/** What the broker and the device give these pages, as far as they ask. */
interface Given {
  readonly fragment?: string;
  readonly movement?: Movement;
  readonly masked?: boolean;
  readonly api?: object;
  readonly store?: object;
}

async function open(tag: string, given: Given = {}): Promise<{ page: Page; text: () => string; announced: string[] }> {
  const announced: string[] = [];
  const { api = {}, fragment = ID, masked = false, movement } = given;
  const store = Object.assign(new EventTarget(), {
    ...{ movement: async () => movement, sync: async () => undefined, syncing: false, isWhole: true },
    ...given.store,
  });
  const session = { masked, me: { currency: "COP", name: "Luis Rojas", business_name: "Café La Esquina" } };
  const context = { api, session, store, words, language: "es", clock: { now: () => Date.parse("2026-03-31T18:00Z") } };
  const router = { place: { fragment }, back: () => undefined };
  const page = document.createElement(tag) as Page;
  page.context = { ...context, router, announce: (said: string) => announced.push(said) } as unknown as AppContext;
  const main = document.createElement("main");
  main.append(page);
  document.body.append(main);
  await until(
    () => page.shadowRoot?.querySelector(".blank") === null && page.shadowRoot.childElementCount > 0,
    "the page",
  );
  const text = (): string => (page.shadowRoot?.textContent ?? "").replaceAll(/\s+/g, " ");
  return { page, text, announced };
}

function shows(text: string, ...parts: readonly string[]): void {
  for (const part of parts) expectTrue(text.includes(part), `${part} is not in ${text}`);
}

function link(page: Page, start: string): string | null | undefined {
  return page.shadowRoot?.querySelector(`a[href^="${start}"]`)?.getAttribute("href");
}

before(async () => {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/pwa/look/base.css" });
  const loaded = new Promise((done) => sheet.addEventListener("load", done));
  document.head.append(sheet);
  await loaded;
});
after(() => setLook());
afterEach(afterEachPage);

describe("a receipt", () => {
  it("shows who, how much, when, the note and the code, and leads to the refund of what is left", async () => {
    const { page, text } = await open("cupo-receipt-page", { movement: { ...sale, reversed_amount: 5_000.2 } });
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
    const { page } = await open("cupo-receipt-page", { movement: sale });
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
      const { page } = await open("cupo-receipt-page", { movement: { ...sale, ...change } });
      expectEqual(link(page, "/refund"), undefined);
      if ("reverses" in change) expectEqual(link(page, "/receipt"), `/receipt#${TOKEN}`);
      afterEachPage();
    }
  });

  it("of a payment that was not made says why, and proves nothing", async () => {
    const { receipt: _, check_code: __, ...rest } = sale;
    const movement = { ...rest, direction: "sent", status: "rejected", reason: "insufficient_balance" } as const;
    const { page, text } = await open("cupo-receipt-page", { movement });
    shows(text(), "A Ana Torres", "No se pagó", "Tu cupo no alcanza");
    expectEqual([page.shadowRoot?.querySelector(".plate"), text().includes("Compartir")], [null, false]);
  });

  it("keeps amounts hidden where they are hidden, and the QR that carries them, until it is told to show", async () => {
    const { page, text } = await open("cupo-receipt-page", { movement: sale, masked: true });
    expectEqual([text().includes("25.000"), page.shadowRoot?.querySelector(".plate")], [false, null]);
    page.shadowRoot?.querySelector<HTMLElement>(".acts button")?.click();
    await page.updateComplete;
    shows(text(), "25.000,50", "7K3M 9QXT");
  });

  it("says what to do when it is not there, and when nobody can be asked", async () => {
    shows((await open("cupo-receipt-page")).text(), "Este recibo no está en tu cuenta");
    afterEachPage();
    const store = { isWhole: false, problem: { failure: "no_connection" } };
    shows((await open("cupo-receipt-page", { store })).text(), "Sin conexión", "Intentar de nuevo");
  });

  it("is shared as its words and its link, and copied where nothing can be shared", async () => {
    const shared: unknown[] = [];
    const { page, announced } = await open("cupo-receipt-page", { movement: sale });
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
    shows(text.replaceAll("\u00a0", " "), "Pago con QR de $ 25.000,50. De Ana Torres. Referencia 7K3M-9QXT-2V4F-W.");
    if (share !== undefined) return;
    const clipboard = { writeText: async (it: string) => void shared.push(it) };
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
    press();
    await until(() => announced.length === 1, "a copy");
    expectEqual([shared[1], announced], [`${text}\n${url}`, ["Recibo copiado"]]);
  });

  it("axe finds nothing, light or dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await setLook({ colorScheme, reducedMotion: "reduce" });
      const { page } = await open("cupo-receipt-page", { movement: sale });
      await expectAccessible(page);
      afterEachPage();
    }
  });
});

const verified = {
  ...{ kind: "qr", status: "approved", reference: "7K3M9QXT2V4FW", payer: "A••• To•••", payee: "Café La Esquina" },
  ...{ amount: 25_000, currency: "COP", created_at: "2026-03-31T14:05:00.000Z", check_code: "7K3M9QXT" },
};

function answering(answer: () => Promise<unknown>): Given {
  return { fragment: TOKEN, api: { verifyReceipt: answer } };
}

describe("the page that checks a receipt", () => {
  it("says in its heading how a genuine one stands, whole, given back in part, or given back", async () => {
    const heading = async (change: object): Promise<string | undefined> => {
      const { page, text } = await open(
        "cupo-verify-page",
        answering(async () => ({ body: { ...verified, ...change } })),
      );
      shows(text(), "A••• To•••", "Café La Esquina", "25.000", "7K3M 9QXT");
      const title = page.shadowRoot?.querySelector("h1")?.textContent ?? "";
      afterEachPage();
      return title;
    };
    expectEqual(await heading({}), "Recibo auténtico");
    expectEqual(await heading({ reversed_amount: 100 }), "Auténtico, devuelto en parte");
    expectEqual(
      await heading({ status: "reversed", reversed_amount: 25_000 }),
      "Auténtico, pero el dinero se devolvió",
    );
  });

  it("says of all that is none of ours not to take it for a payment, and shows no figure", async () => {
    for (const code of ["receipt_not_authentic", "invalid_request"] as const) {
      const refuse = async () => Promise.reject(new ApiError(code));
      const { text } = await open("cupo-verify-page", answering(refuse));
      shows(text(), "No es un recibo de Cupo", "No lo tomes como un pago");
      expectTrue(!text().includes("auténtico"), text());
      afterEachPage();
    }
  });

  it("never says that a receipt is false because it could not be asked about, and asks again", async () => {
    let offline = true;
    const answer = async () => (offline ? Promise.reject(new NoAnswerError("no answer")) : { body: verified });
    const { page, text } = await open("cupo-verify-page", answering(answer));
    shows(text(), "Sin conexión");
    expectTrue(!text().includes("No es un recibo"), text());
    offline = false;
    page.shadowRoot?.querySelector<HTMLElement>("button.primary")?.click();
    await until(() => text().includes("Recibo auténtico"), "the receipt");
  });

  it("axe finds nothing, light or dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await setLook({ colorScheme, reducedMotion: "reduce" });
      const body = { ...verified, reversed_amount: 100 };
      const { page } = await open(
        "cupo-verify-page",
        answering(async () => ({ body })),
      );
      await expectAccessible(page);
      afterEachPage();
    }
  });
});

function payee(number: number, total: number) {
  const payee_id = `01890a5d-ac96-774b-bcce-${String(number).padStart(12, "0")}`;
  return { payee_id, payee: `Tienda ${number}`, total, payments: number, last_at: "2026-03-31T14:05:00.000Z" };
}

/** A summary of two pages. */
const pages = async ({ query }: { query: { cursor?: string } }) =>
  query.cursor === undefined
    ? { body: [payee(1, 0.1), payee(2, 900)], nextCursor: "c2" }
    : { body: [payee(2, 900), payee(3, 1_000.2)], nextCursor: undefined };

/** The texts of a table's cells, without what stands below the names. */
function cells(page: Page): string[][] {
  const own = (cell: Element): string =>
    [...cell.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent?.trim() : "")).join("");
  return [...(page.shadowRoot?.querySelectorAll("tr") ?? [])].map((row) => [...row.children].map(own));
}

describe("the summary", () => {
  it("has the same figures as bars and as a table, the largest first, and exact sums, page by page", async () => {
    const { page, text } = await open("cupo-summary-page", { api: { mySummary: pages } });
    shows(text(), "900,10");
    page.shadowRoot?.querySelector<HTMLElement>(".more")?.click();
    await until(() => text().includes("Tienda 3"), "the second page");
    const names = [...(page.shadowRoot?.querySelectorAll(".chart .name") ?? [])].map(({ textContent }) => textContent);
    expectEqual(names, ["Tienda 3", "Tienda 2", "Tienda 1"]);
    const widths = [...(page.shadowRoot?.querySelectorAll(".chart .bar") ?? [])].map((it) => it.getAttribute("width"));
    expectEqual([widths[0], widths[2]], ["100%", "1%"]);
    const figures = cells(page).map(([name = "", , total = ""]) => [name, total.replaceAll("\u00a0", " ")]);
    expectEqual(figures.slice(1), [
      ["Tienda 3", "$ 1.000,20"],
      ["Tienda 2", "$ 900"],
      ["Tienda 1", "$ 0,10"],
      ["Total", "$ 1.900,30"],
    ]);
    expectEqual(page.shadowRoot?.querySelector(".more"), null);
  });

  it("hides figures, and the bars that would tell them, while amounts are hidden", async () => {
    const { page, text } = await open("cupo-summary-page", { api: { mySummary: pages }, masked: true });
    expectTrue(!/900|0,10/.test(text()), text());
    const widths = [...(page.shadowRoot?.querySelectorAll(".bar") ?? [])].map((it) => it.getAttribute("width"));
    expectEqual(widths, ["0%", "0%"]);
  });

  it("says so where nothing was paid yet, and where nobody answers", async () => {
    const empty = async () => ({ body: [], nextCursor: undefined });
    shows((await open("cupo-summary-page", { api: { mySummary: empty } })).text(), "Aún no has pagado a nadie");
    afterEachPage();
    const away = async () => Promise.reject(new NoAnswerError("no answer"));
    shows((await open("cupo-summary-page", { api: { mySummary: away } })).text(), "Sin conexión", "Intentar de nuevo");
  });

  it("axe finds nothing, light or dark, the statement's card included", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await setLook({ colorScheme, reducedMotion: "reduce" });
      const { page } = await open("cupo-summary-page", { api: { mySummary: pages } });
      await expectAccessible(page);
      afterEachPage();
    }
  });
});
