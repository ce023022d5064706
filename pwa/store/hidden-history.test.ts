import { expect, test } from "vitest";
import { aStore, movement, NOW } from "../../test/support/app-store.ts";

const DAY = 86_400_000;

/** A store that has synced and been without an answer from then on. */
async function aStoreLeftAlone() {
  const made = aStore();
  const { broker, session, store } = made;
  broker.movements = [movement(1)];
  await store.start();
  await store.sync();
  session.online = false;
  return made;
}

test("movements are shown for 30 days without an answer, then hidden, and back with the next answer", async () => {
  const { amounts, clock, session, store } = await aStoreLeftAlone();
  const draft = { id: "key", payload: "000201…", payee: "Lola", savedAt: new Date(NOW).toISOString() };
  const sent = { attempt: { key: "k" }, path: "/transfer", payee: "Lola", amount: 1, currency: "COP" };
  await store.keepDraft(draft);
  await store.keepPendingApproval(sent);
  clock.now = NOW + 30 * DAY;
  await store.sync();
  expect([await amounts(), store.isHidden, store.isLoaded]).toEqual([[1], false, true]);
  clock.now += 1;
  expect([await amounts(), await store.movement(movement(1).id)]).toEqual([[], undefined]);
  expect([store.isHidden, store.isLoaded, store.isComplete]).toEqual([true, false, false]);
  expect([store.drafts, store.pendingApprovals, store.me?.name]).toEqual([[draft], [sent], "Ana"]);
  session.online = true;
  await store.sync();
  expect([await amounts(), store.isHidden, store.isComplete]).toEqual([[1], false, true]);
  expect([store.drafts, store.pendingApprovals]).toEqual([[draft], [sent]]);
});

test("a clock that is turned back shows nothing that was hidden", async () => {
  const { amounts, clock, session, store } = await aStoreLeftAlone();
  clock.now = NOW + 31 * DAY;
  await store.sync();
  clock.now = NOW + DAY;
  await store.sync();
  expect([await amounts(), store.isHidden]).toEqual([[], true]);
  session.online = true;
  await store.sync();
  expect([await amounts(), store.isHidden]).toEqual([[1], false]);
});

test("a clock that is turned back before the last answer hides the movements, a wrong time zone does not", async () => {
  const { amounts, clock, store } = await aStoreLeftAlone();
  clock.now = NOW - DAY;
  expect([await amounts(), store.isHidden]).toEqual([[1], false]);
  clock.now -= 1;
  expect([await amounts(), store.isHidden]).toEqual([[], true]);
});
