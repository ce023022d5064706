import { afterAll, beforeAll, expect, it } from "vitest";
import { aBroker, fetchFrom, ORIGIN, ownPage, signInAt, type TestBroker } from "../../../../test/support/broker.ts";
import { bogota } from "../../../../test/support/business-days.ts";
import { createBroker } from "../../create-broker.ts";

let broker: TestBroker;

beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker?.stop());

/** The status of the answer to Ana's question for a month at a time, and how much moved in it. */
async function askedAt(at: number, month: string): Promise<unknown[]> {
  const there = createBroker({ ...broker.options, clock: () => new Date(at) });
  const call = fetchFrom(there);
  const headers = ownPage(await signInAt(call, broker.demo.signInUrls.payer));
  const answer = await call(`${ORIGIN}/v1/me/statement?month=${month}`, { headers });
  await there.close();
  return [answer.status, ((await answer.json()) as { movements?: unknown }).movements];
}

it("a month that has begun somewhere else, where the person's phone may be, is empty", async () => {
  const [year = 0, month = 0] = bogota.dayOf(broker.options.clock()).split("-").map(Number);
  const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
  const begins = Date.parse(`${next}-01T00:00:00+14:00`);
  expect(await askedAt(begins, next)).toEqual([200, []]);
  expect(await askedAt(begins - 1, next)).toEqual([400, undefined]);
});
