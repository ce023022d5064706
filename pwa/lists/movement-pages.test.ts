import { expect, test } from "vitest";
import { type Answer, NoAnswerError } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker.ts";
import { MovementPages } from "./movement-pages.ts";

function movement(number: number): Movement {
  return {
    id: `01890a5d-ac96-774b-bcce-${String(number).padStart(12, "0")}`,
    reference: "7K3M9QXT2V4FW",
    kind: "qr",
    status: "approved",
    direction: "sent",
    counterparty: "Lola",
    amount: number,
    currency: "COP",
    created_at: "2026-03-31T14:05:00.000Z",
  };
}

function answer(body: Movement[], nextCursor?: string): Answer<Movement[]> {
  const headers = new Headers();
  const absent = { syncToken: undefined, etag: undefined, requestId: undefined };
  return { status: 200, body, nextCursor, ...absent, replayed: false, headers };
}

function amounts(pages: MovementPages): readonly number[] | undefined {
  return pages.movements?.map(({ amount }) => amount);
}

test("pages follow each other by their cursor, and the last has no more", async () => {
  const pages = new MovementPages(async (cursor) =>
    cursor === undefined ? answer([movement(1), movement(2)], "c2") : answer([movement(3)]),
  );
  await pages.refresh();
  expect([amounts(pages), pages.hasMore]).toEqual([[1, 2], true]);
  await pages.more();
  expect([amounts(pages), pages.hasMore]).toEqual([[1, 2, 3], false]);
});

test("a movement on two pages is shown once", async () => {
  const pages = new MovementPages(async (cursor) =>
    cursor === undefined ? answer([movement(1), movement(2)], "c2") : answer([movement(2), movement(3)]),
  );
  await pages.refresh();
  await pages.more();
  expect(amounts(pages)).toEqual([1, 2, 3]);
});

test("two presses on More ask once", async () => {
  let asked = 0;
  const pages = new MovementPages(async (cursor) => {
    asked++;
    return cursor === undefined ? answer([movement(1)], "c2") : answer([movement(2)]);
  });
  await pages.refresh();
  await Promise.all([pages.more(), pages.more()]);
  expect(asked).toBe(2);
});

test("an answer that comes after a newer question is dropped", async () => {
  let release: (value: Answer<Movement[]>) => void = () => undefined;
  const late = new Promise<Answer<Movement[]>>((done) => {
    release = done;
  });
  const answers = [late, Promise.resolve(answer([movement(9)]))];
  const pages = new MovementPages(() => answers.shift() ?? late);
  const first = pages.refresh();
  await pages.refresh();
  release(answer([movement(1)]));
  await first;
  expect(amounts(pages)).toEqual([9]);
});

test("without a connection what was there stays, and the problem is told", async () => {
  let offline = false;
  const pages = new MovementPages(async () => {
    if (offline) throw new NoAnswerError("no answer");
    return answer([movement(1)]);
  });
  await pages.refresh();
  offline = true;
  await pages.refresh();
  expect([amounts(pages), pages.problem]).toEqual([[1], { failure: "no_connection" }]);
});
