import { expect, it } from "vitest";
import { RefusalBackOff } from "./refusal-back-off.ts";

/** Of so many batches, the places of those that are tried, where each of these is refused. */
function tried(count: number, isRefused: (place: number) => boolean): number[] {
  const backOff = new RefusalBackOff();
  const places = [];
  for (let place = 0; place < count; place += 1) {
    if (!backOff.next()) continue;
    places.push(place);
    if (isRefused(place)) backOff.fail();
    else backOff.succeed();
  }
  return places;
}

it("tries every batch while no three in a row are refused", () => {
  expect(tried(300, (place) => place % 3 !== 0)).toHaveLength(300);
});

it("tries ever fewer while all are refused, and never none", () => {
  const places = tried(1_000, () => true);
  expect(places.slice(0, 7)).toEqual([0, 1, 2, 11, 28, 61, 126]);
  expect(places.length).toBeGreaterThan(15);
});

it("tries every batch again after one that was as remembered", () => {
  const places = tried(200, (place) => place < 20);
  expect(places.filter((place) => place >= 28)).toHaveLength(200 - 28);
});
