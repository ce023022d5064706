import { expect, test, vi } from "vitest";
import { NoAnswerError } from "../../src/client.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { aStore, movement, NOW, numbers } from "../../test/support/app-store.ts";
import { PersonData } from "./person-data.ts";

test("the first sync brings everything newest first, a small page and then large ones", async () => {
  const { amounts, broker, store } = aStore();
  broker.movements = numbers(600).map((number) => movement(number));
  await store.start();
  expect([store.isLoaded, await amounts()]).toEqual([false, []]);
  await store.sync();
  expect(broker.asked.map(({ limit, cursor }) => [limit, cursor])).toEqual([
    ["50", undefined],
    ["500", "50"],
    ["500", "550"],
  ]);
  expect([await amounts(), store.isComplete, store.asOf]).toEqual([numbers(600), true, new Date(NOW).toISOString()]);
});

test("after it only changes are asked for, and a refund changes the row that is known", async () => {
  const { amounts, broker, onPayment, store } = aStore();
  broker.movements = [movement(2), movement(1)];
  await store.start();
  await store.sync();
  expect(onPayment).not.toHaveBeenCalled();
  broker.changed = [movement(1, { reversed_amount: 1, status: "reversed" }), movement(3)];
  await store.sync();
  expect(broker.asked.at(-1)).toEqual({ limit: "500", "changed-since": "token-1" });
  expect(await amounts()).toEqual([3, 2, 1]);
  expect((await store.movement(movement(1).id))?.status).toBe("reversed");
  expect(onPayment).toHaveBeenCalledOnce();
  await store.sync();
  expect(broker.asked.at(-1)?.["changed-since"]).toBe("token-2");
});

test("changes on several pages count with the last of them", async () => {
  const { amounts, broker, store } = aStore();
  broker.movements = [movement(1)];
  await store.start();
  await store.sync();
  broker.changed = numbers(700).map((number) => movement(number));
  await store.sync();
  expect(broker.asked.slice(1).map((query) => [query["changed-since"], query.cursor])).toEqual([
    ["token-1", undefined],
    ["token-1", "500"],
  ]);
  expect(await amounts()).toEqual(numbers(700));
  await store.sync();
  expect(broker.asked[3]?.["changed-since"]).toBe("token-3");
});

test("a first sync that is interrupted goes on at its cursor, after the news", async () => {
  const { amounts, broker, store } = aStore();
  broker.movements = numbers(1_200).map((number) => movement(number));
  broker.between = () => {
    if (broker.asked.length === 3) broker.failure = new NoAnswerError("no answer");
  };
  await store.start();
  await store.sync();
  expect([(await amounts()).length, store.isComplete, store.problem]).toEqual([
    550,
    false,
    { failure: "no_connection" },
  ]);
  broker.failure = undefined;
  await store.sync();
  expect(broker.asked.slice(3).map(({ cursor, ...query }) => [query["changed-since"], cursor])).toEqual([
    ["token-1", undefined],
    [undefined, "550"],
    [undefined, "1050"],
  ]);
  expect([await amounts(), store.isComplete, store.problem]).toEqual([numbers(1_200), true, undefined]);
});

test.each(["sync_token_too_old", "invalid_sync_token", "invalid_cursor"] as const)(
  "%s reads the whole list again, and nothing that is shown goes away meanwhile",
  async (code) => {
    const { amounts, broker, store } = aStore();
    broker.movements = [movement(2), movement(1)];
    await store.start();
    await store.sync();
    broker.movements = [movement(3), movement(2), movement(1)];
    broker.failure = new ApiError(code);
    broker.between = () => {
      if (broker.asked.at(-1)?.["changed-since"] === undefined) broker.failure = undefined;
    };
    const seen: number[] = [];
    store.addEventListener("change", async () => seen.push((await amounts()).length));
    await store.sync();
    expect([await amounts(), store.problem]).toEqual([[3, 2, 1], undefined]);
    expect(Math.min(...seen)).toBe(2);
  },
);

test("without tokens the newest pages are read until one brings nothing new", async () => {
  const { amounts, broker, store } = aStore();
  broker.tokens = false;
  broker.movements = numbers(120).map((number) => movement(number));
  await store.start();
  await store.sync();
  broker.movements = numbers(125).map((number) => movement(number));
  broker.asked.length = 0;
  await store.sync();
  expect(broker.asked.map(({ cursor }) => cursor)).toEqual([undefined, "50"]);
  expect(await amounts()).toEqual(numbers(125));
});

test("without a connection what is known stays, as of when it was confirmed, and the problem is told", async () => {
  const { amounts, broker, session, store } = aStore();
  broker.movements = [movement(1)];
  await store.start();
  await store.sync();
  const { asOf } = store;
  session.online = false;
  await store.sync();
  expect([await amounts(), store.asOf, store.problem]).toEqual([[1], asOf, { failure: "no_connection" }]);
});

test("several who ask at once ask the broker once; who asks while it answers gets something newer", async () => {
  const { broker, store } = aStore();
  broker.movements = [movement(1)];
  await store.start();
  await Promise.all([store.sync(), store.sync(), store.sync()]);
  expect(broker.asked.length).toBe(1);
  let late: Promise<void> | undefined;
  broker.between = () => {
    broker.between = () => undefined;
    late = store.sync();
  };
  await store.sync();
  await late;
  expect(broker.asked.length).toBe(3);
});

test("what was the answer to somebody else is kept for nobody", async () => {
  const { broker, session, store, amounts } = aStore();
  broker.movements = numbers(200).map((number) => movement(number));
  broker.between = () => {
    session.personId = "luis";
    session.dispatchEvent(new Event("change"));
  };
  await store.start();
  await store.sync();
  expect(await amounts()).toEqual([]);
});

test("whoever is not known to be signed in is shown nothing", async () => {
  const { session, store, amounts, broker } = aStore();
  broker.movements = [movement(1)];
  await store.start();
  await store.sync();
  session.personId = undefined;
  session.dispatchEvent(new Event("change"));
  expect([await amounts(), store.asOf, store.drafts, store.isLoaded]).toEqual([[], undefined, [], false]);
});

test("a draft is kept once, and goes when its code is paid anywhere", async () => {
  const { broker, store } = aStore();
  broker.movements = [movement(2)];
  await store.start();
  await store.sync();
  const draft = { id: "key", payload: "000201…", payee: "Lola", savedAt: new Date(NOW).toISOString() };
  const seenTwice = [draft, { ...draft, id: "another" }].map((seen) => store.keepDraft({ ...seen, reference: "REF5" }));
  expect(await Promise.all(seenTwice)).toEqual([true, true]);
  await store.keepDraft({ ...draft, id: "third", payload: "000202…", reference: "REF7" });
  expect(store.drafts.map(({ id }) => id)).toEqual(["key", "third"]);
  broker.changed = [movement(5), movement(7, { status: "rejected" })];
  await store.sync();
  expect(store.drafts.map(({ id }) => id)).toEqual(["third"]);
  await store.dropDraft("third");
  expect(store.drafts).toEqual([]);
});

test("a browser that keeps nothing is told once, and everything works from memory", async () => {
  const { amounts, broker, store } = aStore();
  const told = vi.fn();
  store.addEventListener("trouble", told);
  broker.movements = [movement(1)];
  await store.start();
  await store.sync();
  expect([await amounts(), store.trouble, told.mock.calls.length]).toEqual([[1], "broken", 1]);
});

test("what was sent stays until its own outcome is known, whatever is sent after it", async () => {
  const { session, store } = aStore();
  await store.start();
  const sent = (key: string) => ({ attempt: { key }, path: "/transfer", payee: "Lola", amount: 1, currency: "COP" });
  for (const key of ["first", "second", "first"]) await store.keepPendingApproval(sent(key));
  await store.dropPendingApproval("unknown");
  expect(store.pendingApprovals.map(({ attempt }) => attempt.key)).toEqual(["second", "first"]);
  await store.dropPendingApproval("second");
  expect(store.pendingApprovals).toEqual([sent("first")]);
  session.personId = undefined;
  session.dispatchEvent(new Event("change"));
  expect(store.pendingApprovals).toEqual([]);
});

test("kept data that could not be opened is opened by the next sync that is answered", async () => {
  const { amounts, broker, session, store } = aStore();
  broker.movements = [movement(1)];
  const opening = vi.spyOn(PersonData, "open").mockRejectedValueOnce(new TypeError("the script did not load"));
  await expect(store.start()).rejects.toThrow("the script did not load");
  session.online = false;
  await store.sync();
  expect(store.problem).toEqual({ failure: "no_connection" });
  session.online = true;
  opening.mockRejectedValueOnce(new TypeError("the script did not load"));
  await store.sync();
  expect(store.problem).toEqual({ failure: "something_wrong" });
  await store.sync();
  expect([store.problem, await amounts()]).toEqual([undefined, [1]]);
  opening.mockRestore();
});
