import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Sentence, sentencesIn } from "../../test/support/sentences.ts";
import { DEFAULT_LANGUAGE, type Language, languages } from "./languages.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Words that no sentence of a language has, each with the term of docs/glossary.md or the form that replaces it. */
const INSTEAD: Readonly<Partial<Record<Language, readonly (readonly [RegExp, string])[]>>> = {
  es: [
    [/\brecibos?\b/i, "comprobante"],
    [/\bpasskeys?\b/i, "huella o rostro, llave de acceso"],
    [/\b(?:pulsa|presiona)\b/i, "toca"],
    [/\bcifras?\b/i, "dígito"],
    [/\bsaldo\b/i, "cupo"],
    [/\baplicaci[oó]n(?:es)?\b/i, "app"],
    [/\bhistorial\b/i, "movimientos"],
  ],
  en: [
    [/\b(?:quotas?|credits?)\b/i, "balance"],
    [/\b(?:give|gives|giving|gave|given) back\b/i, "refund"],
    [/\bmovements?\b/i, "transaction"],
    [/\b(?:is|are|was|were|do|does|did|has|have|can|could) ?not\b/i, "a contraction"],
    [/\b(?:(?:it|that|there) (?:is|will)|(?:you|we) (?:are|will)) /i, "a contraction"],
    [/\bcheck who and\b/i, "check who you're paying and"],
  ],
  pt: [
    [/\btetos?\b/i, "limite"],
    [/\bcódigos? QR\b/i, "QR Code"],
    [/\bcom QR\b(?! Code)/, "QR Code"],
    [/\brecibos?\b/i, "comprovante"],
    [/\bpasskeys?\b/i, "digital ou rosto, chave de acesso"],
    [/\bmovimentos?\b/i, "movimentação"],
    [/\bescreva\b/i, "digite"],
    [/\bmais adiante\b/i, "mais tarde"],
    [/\bem um momento\b/i, "em instantes"],
  ],
};

/** Keys of the app, and those of the same words in the elements and the statement; `…` stands for the keys below. */
const SAME: readonly (readonly [string, ...string[]])[] = [
  ["app.start.home.available", "elements.userQuota.available"],
  ["app.start.home.hide", "elements.userQuota.mask"],
  ["app.start.home.lastMovements", "elements.userQuota.movements"],
  ["app.start.home.status.…", "elements.userQuota.status.…"],
  ["app.start.list.kind.…", "elements.userQuota.kind.…", "server.statement.kind.…"],
  ["app.start.list.status.…", "elements.userQuota.outcome.…", "app.receipts.receipt.state.…"],
  ["app.start.list.status.approved", "elements.payQr.paid"],
  ["app.start.search.found", "server.statement.movements"],
  ["app.start.search.found (1)", "server.statement.movements (1)"],
  ["app.start.common.amount", "elements.rechargeForm.amount", "server.statement.columns.amount"],
  ["app.start.common.checkCode", "elements.payQr.checkCode"],
  ["app.start.common.offline", "elements.userQuota.offline", "app.start.failures.no_connection.title"],
  ["app.start.common.reference", "server.statement.columns.reference"],
  ["app.start.common.refresh", "elements.userQuota.refresh"],
  [
    "app.start.common.retry",
    "elements.payQr.tryAgain",
    "elements.rechargeForm.tryAgain",
    "elements.userQuota.tryAgain",
  ],
  ["app.start.confirm.checkAgain", "elements.payQr.checkAgain", "elements.rechargeForm.askNow"],
  ["app.start.confirm.continue", "elements.rechargeForm.next"],
  ["app.start.confirm.payTo", "elements.payQr.payTo"],
  ["app.start.drafts.expired", "elements.payQr.expired.title", "app.start.receive.expiredTitle"],
  ["app.approval.transfer.find", "elements.rechargeForm.find"],
  ["app.approval.transfer.phone", "elements.rechargeForm.phone"],
  ["app.approval.transfer.numberMissing", "elements.rechargeForm.invalid_request"],
  ["app.receipts.receipt.note", "server.statement.columns.note"],
  ["app.receipts.receipt.kind", "server.statement.columns.kind", "app.start.search.kind"],
  ["app.receipts.statement.title", "server.statement.title"],
  ["elements.payQr.offline", "elements.rechargeForm.offline"],
  ["elements.payQr.online", "elements.rechargeForm.online"],
];

/** The faults of some keys that should say the same, where each of them has the rest of a key. */
function differences([first, ...others]: readonly [string, ...string[]], said: ReadonlyMap<string, string>): string[] {
  const rests = [...said.keys()].flatMap((key) =>
    first.endsWith("…") && key.startsWith(first.slice(0, -1)) ? [key.slice(first.length - 1)] : [],
  );
  const pairs = (first.endsWith("…") ? rests : [""]).flatMap((rest) =>
    others.map((other) => [first.replace("…", "") + rest, other.replace("…", "") + rest] as const),
  );
  return pairs
    .filter(([, other]) => said.has(other) || !first.endsWith("…"))
    .filter(([one, other]) => said.get(one) !== said.get(other))
    .map(([one, other]) => `${one} "${said.get(one)}" and ${other} "${said.get(other)}"`);
}

/** Words that stand in the pages themselves, outside of `src/language`. */
function wordsOfPages(language: Language): readonly Sentence[] {
  const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
  const app = read("index.html");
  const ofLanguage = [...app.matchAll(/<p lang="(\w+)">([^<]+)/g)].flatMap(([, lang, text = ""]) =>
    lang === language ? [{ key: "index.html", text }] : [],
  );
  if (language !== DEFAULT_LANGUAGE) return ofLanguage;
  const demo = readdirSync(join(ROOT, "widgets/demo")).filter((name) =>
    /^\w+\.html$|^(?:shop|till|customer)\.js$/.test(name),
  );
  const pages = demo.map((name) => `widgets/demo/${name}`);
  const texts = ["pwa/public/manifest.webmanifest", ...pages].map((path) => ({ key: path, text: read(path) }));
  return [...ofLanguage, { key: "index.html", text: app.replace(/<p lang="(?:en|pt)">[^<]+/g, "") }, ...texts];
}

describe.each(Object.keys(languages) as Language[])("the sentences in %s", (language) => {
  // The pseudo-language of the journeys has none, and writes amounts and dates as two other languages do.
  const hasTerms = Object.hasOwn(INSTEAD, language);

  it("have one term for each concept, in the pages too", async () => {
    const sentences = await sentencesIn(language);
    expect(sentences.length).toBeGreaterThan(500);
    const faults = (INSTEAD[language] ?? []).flatMap(([word, term]) =>
      [...sentences, ...wordsOfPages(language)]
        .filter(({ text }) => word.test(text))
        .map(({ key, text }) => `${key} "${word.exec(text)?.[0]}": write ${term}`),
    );
    expect(faults).toEqual([]);
  });

  it("say in the elements and the statement what the app says", async () => {
    const said = new Map((await sentencesIn(language)).map(({ key, text }) => [key, text]));
    expect(SAME.flatMap((keys) => differences(keys, said))).toEqual([]);
  });

  it("never shout", async () => {
    expect((await sentencesIn(language)).filter(({ text }) => /[!¡]/.test(text))).toEqual([]);
  });

  it.runIf(hasTerms)("call the balance in the statement as everywhere else", async () => {
    const words = (await sentencesIn(language)).filter(({ key }) => key.startsWith("server.statement."));
    expect(words.filter(({ text }) => /l[ií]mite|limit/i.test(text))).toEqual([]);
    const [quota = ""] = (await sentencesIn(language))
      .filter(({ key }) => key === "elements.userQuota.quota")
      .map(({ text }) => text);
    const balances = words.filter(({ key }) => /\.(?:opening|closing|soFar|balance)$/.test(key));
    expect(balances.map(({ text }) => text.toLowerCase().includes(quota.toLowerCase()))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it.runIf(hasTerms)("are formatted with one locale", async () => {
    const tags = (await sentencesIn(language)).filter(({ key }) => key.endsWith(".tag")).map(({ text }) => text);
    expect(tags).toEqual([languages[language], languages[language]]);
  });
});
