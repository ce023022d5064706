import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

interface Item {
  readonly command: { readonly origin: { readonly entityId: string } };
  readonly number: number;
  readonly size: number;
}

function anItem(entityId: string, number: number, size = 1): Item {
  return { command: { origin: { entityId } }, number, size };
}

const entityOf = ({ command }: Item): string => command.origin.entityId;

function allOf(room: FairQueue<Item>, limit: number): (readonly Item[])[] {
  const batches: (readonly Item[])[] = [];
  while (room.length > 0) batches.push(room.take(limit));
  return batches;
}

const aSize = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 12 }));
const someItems = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), aSize), { maxLength: 60 });

describe("the waiting room", () => {
  it("gives everything once, each entity's in its order, in batches within the limit", () => {
    fc.assert(
      fc.property(someItems, (entries) => {
        const room = new FairQueue<Item>();
        const items = entries.map(([entityId, size], number) => anItem(entityId, number, size));
        for (const item of items) room.push(item);
        const batches = allOf(room, 10);
        for (const entityId of ["a", "b", "c"]) {
          const own = items.filter((item) => entityOf(item) === entityId);
          expect(batches.flat().filter((item) => entityOf(item) === entityId)).toEqual(own);
        }
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          const size = batch.reduce((sum, item) => sum + item.size, 0);
          expect(batch.length === 1 || size <= 10).toBe(true);
        }
        expect(allOf(room, 10)).toEqual([]);
      }),
    );
  });

  it("takes an entity's item by the second batch, however much and how large another one's are", () => {
    const room = new FairQueue<Item>();
    for (let number = 0; number < 100; number += 1) room.push(anItem("greedy", number, 500));
    room.push(anItem("modest", 0));
    const first = [room.take(500), room.take(500)].flat();
    expect(first.map(entityOf)).toContain("modest");
    for (let number = 1; number < 4; number += 1) {
      room.push(anItem("modest", number));
      const next = [room.take(500), room.take(500)].flat();
      expect(next.map(entityOf)).toContain("modest");
    }
  });

  it("counts what waits, of all and of each, also when it is never empty for long", () => {
    const room = new FairQueue<Item>();
    for (let number = 0; number < 5_000; number += 1) {
      room.push(anItem("a", number));
      if (number > 2) expect(room.take(1).map((item) => item.number)).toEqual([number - 3]);
    }
    room.push(anItem("b", 0));
    expect([room.length, room.lengthOf("a"), room.lengthOf("b"), room.lengthOf("c")]).toEqual([4, 3, 1, 0]);
  });

  it("tells the size of what is served before a next item of an entity", () => {
    const room = new FairQueue<Item>();
    for (let number = 0; number < 100; number += 1) room.push(anItem("greedy", number, 2));
    for (let number = 0; number < 9; number += 1) room.push(anItem("modest", number, 1));
    expect([room.sizeBefore("greedy"), room.sizeBefore("modest"), room.sizeBefore("new")]).toEqual([209, 29, 3]);
  });

  it("drops items from the head of each queue, and leaves the turns of the others as they were", () => {
    fc.assert(
      fc.property(someItems, fc.array(fc.nat(60)), (entries, numbers) => {
        const room = new FairQueue<Item>();
        const items = entries.map(([entityId, size], number) => anItem(entityId, number, size));
        for (const item of items) room.push(item);
        const dropped = room.drop(({ number }) => numbers.includes(number));
        const left = items.filter((item) => !dropped.includes(item));
        for (const entityId of ["a", "b", "c"]) {
          const own = left.filter((item) => entityOf(item) === entityId);
          expect(numbers).not.toContain(own[0]?.number);
          expect(room.lengthOf(entityId)).toBe(own.length);
          expect(room.sizeBefore(entityId)).toBeGreaterThanOrEqual(own.reduce((sum, { size }) => sum + size, 0));
        }
        expect(new Set(allOf(room, 10).flat())).toEqual(new Set(left));
        expect(room.length).toBe(0);
      }),
    );
  });
});
