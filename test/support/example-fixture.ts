import { businessTime } from "../../src/business-time.ts";
import { type ExampleThing, exampleThings } from "../../src/contract/shared/example-things.ts";
import { realThings } from "./real-things.ts";
import type { TestEntity, TestService } from "./service.ts";
import { showAnswer } from "./show-answer.ts";

const ALWAYS = [
  "entity",
  "payment",
  "paymentReference",
  "payer",
  "payerNit",
  "payerPhone",
  "payee",
  "payeeNit",
  "payeePhone",
  "transfer",
  "webhookUrl",
  "earlierDay",
  "today",
  "dueDay",
] as const;
const NAMES = Object.entries(exampleThings) as [ExampleThing, string][];
const ANY_NAME = new RegExp(NAMES.map(([, example]) => example.replace(/[+.]/g, "\\$&")).join("|"), "g");
const TIME_ZONE = "America/Bogota";

/** The things that the examples speak of, for one entity; each is made when it is first needed. */
export interface ExampleFixture {
  /** Makes things that an example needs and does not name. */
  need(...things: readonly ExampleThing[]): Promise<void>;
  /** An example's text with the ids of real things. */
  real(text: string): Promise<string>;
  /** An answer as the documents show it: with the examples' ids, days and codes in place of today's. */
  shown(answer: unknown): unknown;
}

/** Makes the fixture of an entity's examples, with a payment in it; the receiver takes its webhooks. */
export async function exampleFixture(
  service: TestService,
  entity: TestEntity,
  receiverUrl: string,
): Promise<ExampleFixture> {
  const today = businessTime(TIME_ZONE).dayOf(new Date());
  const things = realThings({ service, entity, today, receiverUrl });
  const known = new Map<string, string>();
  const learn = async (thing: ExampleThing): Promise<string> => {
    const real = await things[thing]();
    known.set(real, exampleThings[thing]);
    return real;
  };
  const need = async (...wanted: readonly ExampleThing[]): Promise<void> => {
    for (const thing of wanted) await learn(thing);
  };
  await need(...ALWAYS);
  return {
    need,
    async real(text) {
      const named = NAMES.filter(([, example]) => text.includes(example));
      await need(...named.map(([thing]) => thing));
      const reals = new Map(
        await Promise.all(named.map(async ([thing, example]) => [example, await things[thing]()] as const)),
      );
      // In one go: the real text of one thing may be the example of another.
      return text.replace(ANY_NAME, (example) => reals.get(example) ?? example);
    },
    shown: (answer) => showAnswer(answer, known),
  };
}
