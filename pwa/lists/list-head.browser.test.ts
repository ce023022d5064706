import { render } from "lit";
import { words } from "../../src/language/es/app/start.ts";
import { afterEachPage, expectEqual } from "../../widgets/shared/browser-test.ts";
import type { AppContext } from "../context/app-context.ts";
import { listHead } from "./list-head.ts";

/** Pulls the page down by a touch. */
function pull(byPx: number): void {
  for (const [type, y] of [
    ["touchstart", 100],
    ["touchmove", 100 + byPx],
    ["touchend", 100 + byPx],
  ] as const) {
    dispatchEvent(Object.assign(new Event(type), { touches: [{ clientY: y }] }));
  }
}

/** Renders the head of a list that is being read, and counts how often it is to be read again. */
function aHead(): { readonly reads: () => number } {
  let reads = 0;
  const sync = async (): Promise<void> => {
    reads += 1;
  };
  const store = { syncing: true, sync };
  render(listHead("Movimientos", { store, words } as unknown as AppContext, undefined), document.body);
  return { reads: () => reads };
}

describe("the head of a list", () => {
  afterEach(afterEachPage);

  it("has the list read again when it is pulled down, also while an older answer is on its way", () => {
    const { reads } = aHead();
    pull(40);
    expectEqual(reads(), 0);
    pull(80);
    expectEqual(reads(), 1);
  });
});
