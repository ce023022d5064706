import { ApiError } from "../../src/contract/shared/errors.ts";
import { words as account } from "../../src/language/es/app/account.ts";
import { words } from "../../src/language/es/app/start.ts";

import {
  afterEachPage,
  expectAccessible,
  expectEqual,
  setMediaFeatures,
  until,
} from "../../widgets/shared/browser-test.ts";
import type { AppContext } from "../context/app-context.ts";

import { loadWords } from "../language/language.ts";
import { Lock } from "../lock/lock.ts";
import "./freeze-section.ts";
import "./sessions-section.ts";
import "./settings-section.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const NOW = "2026-03-31T18:00:00.000Z";
const SEEN = "cupo.seen";

type Tag = "cupo-freeze-section" | "cupo-sessions-section" | "cupo-settings-section";

function aLock(): Lock {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  storage.setItem(SEEN, String(Date.parse(NOW)));
  return new Lock({ storage, now: () => Date.parse(NOW), usual: () => 5 });
}

async function open(tag: Tag, api: object, { lock = aLock(), hasPasskey = true } = {}): Promise<ShadowRoot> {
  const section = document.createElement(tag);
  section.context = {
    ...{ api, lock, words, language: "es", announce: () => undefined, newId: () => ID },
    ...{ clock: { now: () => Date.parse(NOW) }, settings: { theme: "system" }, session: { hasPasskey } },
  } as unknown as AppContext;
  const main = document.createElement("main");
  main.append(section);
  document.body.append(main);
  await section.updateComplete;
  return section.shadowRoot as ShadowRoot;
}

function withPasskeyRefused(): () => void {
  const known = navigator.credentials.get;
  navigator.credentials.get = async () => {
    throw new DOMException("", "NotAllowedError");
  };
  return () => {
    navigator.credentials.get = known;
  };
}

function choice(root: ShadowRoot, label: string): HTMLInputElement {
  const found = [...root.querySelectorAll("label")].find(({ textContent }) => textContent?.includes(label));
  return found?.querySelector("input") as HTMLInputElement;
}

before(() => loadWords("account", "es"));
after(() => setMediaFeatures());
afterEach(afterEachPage);

describe("the section of sessions", () => {
  it("ends another one with a proof for that", async () => {
    const asked: unknown[] = [];
    const session = { id: ID, browser: "Chrome", created_at: NOW, last_active_at: NOW, current: false };
    const root = await open("cupo-sessions-section", {
      mySessions: async () => ({ body: [session] }),
      startProof: async ({ body }: { readonly body: unknown }) => {
        asked.push(body);
        return { body: { proof_id: ID, method: "button" } };
      },
      endMySession: async (call: unknown) => {
        asked.push(call);
        return { body: { ended: true } };
      },
    });
    await until(() => root.querySelector("li button") !== null, "the session");
    root.querySelector<HTMLElement>("li button")?.click();
    await until(() => root.querySelector("li") === null, "no session");
    expectEqual(asked, [{ purpose: "end_session" }, { params: { id: ID }, body: { proof: { demo: true } } }]);
  });
});

describe("all other sessions", () => {
  const session = { browser: "Chrome", created_at: NOW, last_active_at: NOW };
  const [here, there, elsewhere] = [true, false, false].map((current, index) => {
    return { ...session, id: `${ID.slice(0, -1)}${index}`, current };
  });
  const others = (root: ShadowRoot) =>
    [...root.querySelectorAll("button")].find(({ textContent }) => textContent?.includes(account.sessions.endOthers));

  it("are ended by one proof, and this one stays", async () => {
    const asked: unknown[] = [];
    let sessions = [here, there, elsewhere];
    const root = await open("cupo-sessions-section", {
      mySessions: async () => ({ body: sessions }),
      startProof: async ({ body }: { readonly body: unknown }) => {
        asked.push(body);
        return { body: { proof_id: ID, method: "button" } };
      },
      endMyOtherSessions: async (call: unknown) => {
        asked.push(call);
        sessions = [here];
        return { body: { ended: 2 } };
      },
    });
    await until(() => others(root) !== undefined, "the button");
    for (const colorScheme of ["light", "dark"] as const) {
      await setMediaFeatures({ colorScheme, width: 390 });
      await expectAccessible(root.host as HTMLElement);
    }
    others(root)?.click();
    await until(() => root.querySelectorAll("li").length === 1, "this session alone");
    expectEqual(asked, [{ purpose: "end_session" }, { body: { proof: { demo: true } } }]);
    await until(() => others(root) === undefined, "nothing left to end");
    expectEqual(root.activeElement?.localName, "h2");
  });

  it("stay where the device may not end one, and the page says why", async () => {
    const root = await open("cupo-sessions-section", {
      mySessions: async () => ({ body: [here, there] }),
      startProof: async () => ({ body: { proof_id: ID, method: "button" } }),
      endMyOtherSessions: async () => {
        throw new ApiError("device_too_new");
      },
    });
    await until(() => others(root) !== undefined, "the button");
    others(root)?.click();
    await until(() => root.textContent?.includes(account.devices.tooNew.title) === true, "why");
    expectEqual(root.querySelectorAll("li").length, 2);
  });
});

describe("a passkey of which there may be a copy", () => {
  it("is told of as that", async () => {
    const startProof = async () => {
      throw new ApiError("passkey_copied");
    };
    const session = { id: ID, browser: "Chrome", created_at: NOW, last_active_at: NOW, current: false };
    const root = await open("cupo-sessions-section", { mySessions: async () => ({ body: [session] }), startProof });
    await until(() => root.querySelector("li button") !== null, "the session");
    root.querySelector<HTMLElement>("li button")?.click();
    await until(() => root.textContent?.includes(words.passkey.copied.title) === true, "the copy");
  });
});

describe("the lock's time", () => {
  it("is shortened at once, and lengthened by nobody without the passkey", async () => {
    const restore = withPasskeyRefused();
    try {
      const lock = aLock();
      const root = await open("cupo-settings-section", {}, { lock });
      for (const minutes of [0, 15] as const) {
        choice(root, account.settings.lockAfter[minutes]).click();
        await until(() => root.textContent?.includes(words.passkey.cancelled.title) === true, "the refusal");
        await until(() => choice(root, account.settings.lockAfter[5]).checked, "the time as it was");
        expectEqual(lock.minutes, 5);
      }
      await expectAccessible(root.host as HTMLElement);
      choice(root, account.settings.lockAfter[1]).click();
      await until(() => lock.minutes === 1, "the shorter time");
      await until(() => root.querySelector("[role=alert]") === null, "no refusal any more");
    } finally {
      restore();
    }
  });

  it("is the demo's people's own, who have no passkey", async () => {
    const lock = aLock();
    const root = await open("cupo-settings-section", {}, { lock, hasPasskey: false });
    choice(root, account.settings.lockAfter[0]).click();
    await until(() => lock.minutes === 0, "no lock");
  });
});

describe("a freeze that fails", () => {
  it("says what to do at once", async () => {
    const freezeMe = async () => {
      throw new ApiError("internal_error");
    };
    const root = await open("cupo-freeze-section", { freezeMe });
    root.querySelector("button")?.click();
    await until(() => root.querySelector(".asked .danger") !== null, "the question");
    root.querySelector<HTMLElement>(".asked .danger")?.click();
    await until(() => root.textContent?.includes(account.freeze.failed) === true, "what to do");
  });
});
