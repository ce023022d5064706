import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICE_EXAMPLES } from "../../server/service/shared/answer-examples.ts";
import { exampleFile } from "../../server/shared/example-files.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import type { ExampleThing } from "../../src/contract/shared/example-things.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { describedIn, documentedRequest } from "../support/documented-request.ts";
import { exampleFixture } from "../support/example-fixture.ts";
import { aService, BASE_URL, type TestService } from "../support/service.ts";
import { aReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

interface Content {
  readonly "application/json": { example: unknown };
}

interface Described {
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

const ROWS: readonly Operation[] = Object.values(serviceContract);
const COMES_LATER = ROWS.filter(({ errors }) => errors.includes("not_implemented"));
const NOW = ROWS.filter((row) => !COMES_LATER.includes(row));

/** The things that must exist for a list of a tag to have something in it. */
const NEEDED: Readonly<Record<string, readonly ExampleThing[]>> = {
  Credits: ["credit"],
  Webhooks: ["webhook", "event"],
  Entity: ["counterparty"],
};

let service: TestService;
let receiver: WebhookReceiver;
let document: Document;

beforeAll(async () => {
  receiver = await aReceiver();
  service = await aService({ webhooks: { allowed: ["127.0.0.0/8"], pollMs: 50 } });
  document = (await (await service.fetch(`${BASE_URL}/openapi.json`)).json()) as Document;
});
afterAll(async () => {
  await service.stop();
  await receiver.down();
});

function describedOf(row: Operation): Described {
  return describedIn(document, row);
}

/** Sends an operation's example to the service, in a fixture of its own, and keeps what it answers in the document. */
async function send(row: Operation): Promise<{ status: number; answer: unknown }> {
  const entity = await service.anEntity();
  const fixture = await exampleFixture(service, entity, receiver.url);
  await fixture.need(...(NEEDED[row.tag] ?? []));
  const { path, body } = documentedRequest(row, describedOf(row));
  const response = await service.fetch(BASE_URL + (await fixture.real(path)), {
    method: row.method,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${await entity.accessToken()}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: await fixture.real(body) }),
  });
  return { status: response.status, answer: fixture.shown(await response.json()) };
}

describe("the examples of the document", () => {
  it.each(NOW.map((row) => [row.name, row] as const))("work, and are answered as it says: %s", async (name, row) => {
    const { status, answer } = await send(row);
    expect([status, answer], `give ${name} an example in src/contract/service/service-examples.ts`).toEqual([
      row.status,
      expect.anything(),
    ]);
    const content = describedOf(row).responses[row.status]?.content;
    if (content !== undefined) content["application/json"].example = answer;
    // If the answer changed on purpose, run this file with --update, and look at what changed.
    await expect(`${JSON.stringify(answer, null, 2)}\n`).toMatchFileSnapshot(exampleFile(SERVICE_EXAMPLES, name));
  });

  it("are of the shapes that the document's own schemas describe, the real answers too", async () => {
    const exact = { severity: "error", allowAdditionalProperties: false } as const;
    const config = await createConfig({
      rules: { "no-invalid-media-type-examples": exact, "no-invalid-parameter-examples": exact },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
  });
});
