import { whenText } from "../../pwa/language/words.ts";
import { type ByLanguage, type Language, type LoadByLanguage, languages } from "../../src/language/languages.ts";
import * as app from "../../src/language/tables/app.ts";
import * as demo from "../../src/language/tables/demo.ts";
import * as elements from "../../src/language/tables/elements.ts";
import * as server from "../../src/language/tables/server.ts";
import { moneyFormat } from "../../src/money-format.ts";
import { formatDay, formatTime } from "../../src/time-format.ts";

/** A sentence that people read, with its place: `app.start.home.greeting`, or `… (1)` where a number in it is one. */
export interface Sentence {
  readonly key: string;
  readonly text: string;
}

/** The value for each parameter of the functions among the words, by the parameter's name, which says what it is. */
type Samples = Readonly<Record<string, string | number>>;

/** A sentence that the elements fill in by themselves has this sign in the place of the value. */
const PLACEHOLDER = "%";

const LATER = /from$|until$|newDevice$/i;
const BETWEEN_PEOPLE = /transfer|refund/;
const SHOP = "Café La Candelaria";
const PERSON = "Luisa Díaz";

/** Makes the samples for the sentence with a key: values such as the product itself puts into it. */
function samplesIn(language: Language, words: app.StartWords): (key: string) => Samples {
  const locale = languages[language];
  const kind = words.list.kind.payment;
  const money = moneyFormat("COP", locale);
  const now = new Date(2026, 9, 28, 9);
  const [before, later] = [21, 29].map((day) => whenText(new Date(2026, 9, day, 14, 32), words, now.getTime()));
  const usual = {
    amount: money.format(25_000),
    left: money.format(40_000),
    missing: money.format(12_500),
    total: money.format(300_000),
    time: "1:59",
    count: 3,
    number: 2,
    seconds: 90,
    triesLeft: 3,
    who: PERSON,
    merchant: SHOP,
    scheme: "PIX",
    day: formatDay(now, locale, now),
    reference: "7K3M-9QXT-2V4F-W",
    code: "7K3M-9QXT",
    limit: kind,
    kind,
    origins: "https://cafe.example",
  };
  return (key) => {
    const when = (LATER.test(key) ? later : before) ?? "";
    const name = key.includes(".devices.") ? "iPhone" : PERSON;
    const payee = BETWEEN_PEOPLE.test(key) ? PERSON : SHOP;
    // A time of day here; in every other sentence it is the time that is left.
    const time = key.endsWith("common.at") ? formatTime(now, locale) : usual.time;
    return { ...usual, time, when, since: when, name, payee, keys: `k7f3a (${when})` };
  };
}

/** The names of a function's parameters, or of the fields that its one parameter is taken apart into. */
function parametersOf(sentence: (...values: unknown[]) => unknown): readonly string[] {
  const [, list = ""] = /^\(?([^)=]*)\)?\s*=>/.exec(String(sentence)) ?? [];
  return list.match(/\w+/g) ?? [];
}

function callWith(sentence: (...values: unknown[]) => unknown, samples: Samples): unknown {
  const names = parametersOf(sentence);
  const unknown = names.filter((name) => !Object.hasOwn(samples, name));
  if (unknown.length > 0) throw new Error(`there is no sample of ${unknown.join(", ")}`);
  const values = names.map((name) => samples[name]);
  const isTakenApart = sentence.length < names.length;
  return isTakenApart ? sentence(Object.fromEntries(names.map((name, at) => [name, values[at]]))) : sentence(...values);
}

/** Lists what words say; a sentence with a number in it twice, for several and for one. */
function sentencesOf(words: unknown, key: string, samplesFor: (key: string) => Samples): readonly Sentence[] {
  const samples = samplesFor(key);
  if (typeof words === "string") {
    const value = key.endsWith("too_many_requests") ? "30" : String(samples.amount);
    return words === "" ? [] : [{ key, text: words.replace(PLACEHOLDER, value) }];
  }
  if (typeof words === "function") {
    const sentence = words as (...values: unknown[]) => unknown;
    const ones = Object.entries(samples).map(([name, value]) => [name, typeof value === "number" ? 1 : value]);
    const several = sentencesOf(callWith(sentence, samples), key, samplesFor);
    const hasNumber = parametersOf(sentence).some((name) => typeof samples[name] === "number");
    const one = hasNumber ? sentencesOf(callWith(sentence, Object.fromEntries(ones)), `${key} (1)`, samplesFor) : [];
    return [...several, ...one];
  }
  return Object.entries(words as object).flatMap(([name, each]) => sentencesOf(each, `${key}.${name}`, samplesFor));
}

/** Every sentence of the interface in a language, in a fixed order, with real values where it has any. */
export async function sentencesIn(language: Language): Promise<readonly Sentence[]> {
  const samplesFor = samplesIn(language, (await app.startWords[language]()).words);
  const loaded = Object.entries<LoadByLanguage<unknown>>(app).map(
    async ([name, load]): Promise<[string, unknown]> => [`app.${name}`, (await load[language]()).words],
  );
  const parts: Readonly<Record<string, object>> = { demo, elements, server };
  const tables = Object.entries(parts).flatMap(([part, each]) =>
    Object.entries<ByLanguage<unknown>>(each as Record<string, ByLanguage<unknown>>).map(
      ([name, table]): [string, unknown] => [`${part}.${name}`, table[language]],
    ),
  );
  return [...(await Promise.all(loaded)), ...tables].flatMap(([name, words]) =>
    sentencesOf(words, name.replace(/Words$/, ""), samplesFor),
  );
}
