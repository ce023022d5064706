import { ApiError } from "../../src/contract/shared/errors.ts";
import { words as account } from "../../src/language/es/app/account.ts";
import { words } from "../../src/language/es/app/start.ts";
import {
  afterEachPage,
  expectAccessible,
  expectEqual,
  expectTrue,
  setMediaFeatures,
  until,
} from "../../widgets/shared/browser-test.ts";
import type { AppContext } from "../context/app-context.ts";
import { loadWords } from "../language/language.ts";
import "./selling-section.ts";
import type { SellingSection } from "./selling-section.ts";

const NOW = "2026-05-01T15:00:00.000Z";
const REQUEST = {
  ...{ id: "01890a5d-ac96-774b-bcce-b302099a8057", merchant: "Nueva", origins: ["https://till.example"] },
  server_keys: [{ id: "9f86d081", created_at: NOW, made_by: null }],
};

async function open(api: object): Promise<SellingSection> {
  const section = document.createElement("cupo-selling-section");
  const clock = { now: () => Date.parse(NOW) };
  section.context = { api, words, clock, language: "es", announce: () => undefined } as unknown as AppContext;
  const main = document.createElement("main");
  main.append(section);
  document.body.append(main);
  await section.updateComplete;
  return section;
}

const textOf = ({ shadowRoot }: SellingSection): string => shadowRoot?.textContent ?? "";
const asks = (...requests: readonly object[]) => ({ mySellingRequests: async () => ({ body: requests }) });

before(() => loadWords("account", "es"));
after(() => setMediaFeatures());
afterEach(afterEachPage);

describe("the section of merchants that are to sell", () => {
  it("takes no room while nobody asks", async () => {
    const section = await open(asks());
    await until(() => section.hidden === true, "a section without a box");
    expectEqual(section.shadowRoot?.querySelectorAll("h2").length, 0);
  });

  it("says who asks, and takes a refusal without a passkey", async () => {
    const refused: string[] = [];
    const refuseSelling = async ({ params }: { readonly params: { readonly id: string } }) => {
      refused.push(params.id);
      return { body: { refused: true } };
    };
    const section = await open({ ...asks({ ...REQUEST, options: {} }), refuseSelling });
    await until(() => textOf(section).includes(account.selling.asks("Nueva").title), "who asks");
    expectTrue(textOf(section).includes("https://till.example"), textOf(section));
    expectTrue(textOf(section).includes("Sus claves de servidor: 9f86d081"), textOf(section));
    for (const colorScheme of ["light", "dark"] as const) {
      await setMediaFeatures({ colorScheme, width: 360 });
      await expectAccessible(section);
    }
    section.shadowRoot?.querySelector("button")?.click();
    await until(() => section.hidden === true, "the question is gone");
    expectEqual(refused, [REQUEST.id]);
  });

  it("says what went wrong, and still asks", async () => {
    const refuseSelling = async () => {
      throw new ApiError("unavailable");
    };
    const section = await open({ ...asks({ ...REQUEST, options: {} }), refuseSelling });
    await until(() => textOf(section).includes("Nueva"), "who asks");
    section.shadowRoot?.querySelector("button")?.click();
    await until(() => textOf(section).includes(words.failures.service_unavailable.title), "the fault");
    expectTrue(textOf(section).includes("Nueva"), "the question stays");
  });
});
