import { describe, expect, it } from "vitest";
import { sentencesIn } from "../../test/support/sentences.ts";
import { type Language, languages } from "./languages.ts";

/** Words that no sentence of a language has, each with the term of docs/glossary.md or the form that replaces it. */
const INSTEAD: Readonly<Partial<Record<Language, readonly (readonly [RegExp, string])[]>>> = {
  es: [
    [/\brecibos?\b/i, "comprobante"],
    [/\bpasskeys?\b/i, "huella o rostro, llave de acceso"],
    [/\b(?:pulsa|presiona)\b/i, "toca"],
    [/\bcifras?\b/i, "dígito"],
    [/\bsaldo\b/i, "cupo"],
  ],
  en: [
    [/\b(?:quotas?|credits?)\b/i, "balance"],
    [/\b(?:give|gives|giving|gave|given) back\b/i, "refund"],
    [/\bmovements?\b/i, "transaction"],
    [/\b(?:is|are|was|were|do|does|did|has|have|can|could) ?not\b/i, "a contraction"],
    [/\b(?:(?:it|that|there) (?:is|will)|(?:you|we) (?:are|will)) /i, "a contraction"],
  ],
  pt: [
    [/\btetos?\b/i, "limite"],
    [/\bcódigos? QR\b/i, "QR Code"],
    [/\brecibos?\b/i, "comprovante"],
    [/\bpasskeys?\b/i, "digital ou rosto, chave de acesso"],
    [/\bmovimentos?\b/i, "movimentação"],
    [/\bescreva\b/i, "digite"],
    [/\bmais adiante\b/i, "mais tarde"],
  ],
};

describe.each(Object.keys(languages) as Language[])("the sentences in %s", (language) => {
  it("have one term for each concept", async () => {
    const sentences = await sentencesIn(language);
    expect(sentences.length).toBeGreaterThan(500);
    const faults = (INSTEAD[language] ?? []).flatMap(([word, term]) =>
      sentences.filter(({ text }) => word.test(text)).map(({ key, text }) => `${key} "${text}": write ${term}`),
    );
    expect(faults).toEqual([]);
  });
});
