import { describe, expect, test } from "vitest";
import { appPaths, pageOf } from "./app-paths.ts";
import { Router, takesClick } from "./router.ts";

const ORIGIN = "https://cupo.example";
const KEYS = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

/** True if the router takes a click on a link to History, but for these changes. */
function takes({ event = {}, link = {} }: { event?: object; link?: object } = {}): boolean {
  const click = { ...KEYS, button: 0, defaultPrevented: false, ...event };
  const plain = { hasAttribute: () => false, origin: ORIGIN, pathname: "/history", target: "" };
  return takesClick(click, { ...plain, ...link }, ORIGIN);
}

describe("addresses", () => {
  test("every path of the app opens its page, with or without a slash at the end", () => {
    for (const [path, page] of Object.entries(appPaths)) {
      expect(pageOf(path)).toBe(page);
      expect(pageOf(`${path}/`)).toBe(page);
    }
  });

  test("a QR link opens Confirm", () => {
    expect(pageOf("/p")).toBe("confirm");
  });

  test.each(["/nothing", "/Home", "/p/1", "/constructor", "/__proto__", "//evil"])("%s is no page", (path) => {
    expect(pageOf(path)).toBe("lost");
  });
});

describe("clicks on links", () => {
  test("an ordinary click on a link of the app stays in the app", () => {
    expect(takes()).toBe(true);
    expect(takes({ link: { target: "_self" } })).toBe(true);
  });

  test.each([
    ...Object.keys(KEYS).map((key) => [`a new tab by ${key}`, { event: { [key]: true } }] as const),
    ["the middle button", { event: { button: 1 } }],
    ["a click that somebody handled", { event: { defaultPrevented: true } }],
    ["a download", { link: { hasAttribute: (name: string) => name === "download" } }],
    ["another window", { link: { target: "_blank" } }],
    ["another site", { link: { origin: "https://shop.example" } }],
    ["a path of the server", { link: { pathname: "/demo/" } }],
  ] as const)("%s is left to the browser", (_name, change) => {
    expect(takes(change)).toBe(false);
  });
});

/** A window that was opened at a path of the app, with a history of its own. */
class OpenedWindow extends EventTarget {
  readonly document = new EventTarget();
  readonly #entries: { path: string; state: unknown }[];
  #at = 0;
  readonly history = {
    back: () => this.press("back"),
    pushState: (state: unknown, _: string, path: string) => {
      this.#entries.splice(++this.#at, Number.POSITIVE_INFINITY, { path, state });
    },
    replaceState: (state: unknown, _: string, path = this.location.pathname ?? "") => {
      this.#entries[this.#at] = { path, state };
    },
  };

  constructor(path: string) {
    super();
    this.#entries = [{ path, state: null }];
    Object.defineProperty(this.history, "state", { get: () => this.#entries[this.#at]?.state });
  }

  get location() {
    return { pathname: this.#entries[this.#at]?.path, hash: "" };
  }

  /** Presses the browser's own button, which does nothing at either end of the history. */
  press(button: "back" | "forward"): void {
    const at = this.#at + (button === "back" ? -1 : 1);
    if (this.#entries[at] === undefined) return;
    this.#at = at;
    this.dispatchEvent(new Event("popstate"));
  }
}

describe("a step back", () => {
  const opened = (path: string, person?: string) => {
    const window = new OpenedWindow(path);
    return { window, router: new Router(window as unknown as Window, () => person) };
  };

  test("leads to the place before, also for a page that was reloaded, and to the start where there is none", () => {
    const { window, router } = opened("/scan");
    router.go("/confirm", { state: { code: 1 } });
    router.keep("/confirm", { code: 1, attempt: "a" });
    const reloaded = new Router(window as unknown as Window, () => undefined);
    expect(reloaded.place.state).toEqual({ code: 1, attempt: "a" });
    reloaded.back();
    expect(reloaded.place).toMatchObject({ page: "scan", state: null });
    reloaded.back();
    expect(reloaded.place.page).toBe("home");
  });

  test("finds how the page was left, also after a reload, and a new visit does not", () => {
    const { window, router } = opened("/history", "eva");
    router.viewNow = () => ({ top: 6_000, choices: { text: "cafe" } });
    router.go("/receipt");
    expect(router.place.view).toBeUndefined();
    router.viewNow = () => undefined;
    router.go("/scan");
    const reloaded = new Router(window as unknown as Window, () => "eva");
    reloaded.back();
    expect(reloaded.place.view).toBeUndefined();
    reloaded.back();
    const view = { top: 6_000, choices: { text: "cafe" } };
    expect(reloaded.place).toMatchObject({ page: "history", personId: "eva", view });
    reloaded.go("/history");
    expect(reloaded.place.view).toBeUndefined();
  });

  test("finds how a page looked when the browser's own button left it, and a new visit does not", () => {
    const { window, router } = opened("/", "eva");
    const [before, after] = [
      { top: 300, choices: {} },
      { top: 200, choices: {} },
    ];
    router.go("/history");
    router.viewNow = () => before;
    router.keepView();
    router.viewNow = () => after;
    window.press("back");
    router.viewNow = () => undefined;
    expect(router.place).toMatchObject({ page: "home", view: undefined });
    window.press("forward");
    expect(router.place).toMatchObject({ page: "history", view: after });
    router.viewNow = () => before;
    router.go("/receipt");
    window.press("back");
    expect(router.place.view).toEqual(before);
    window.press("back");
    router.viewNow = () => undefined;
    router.go("/history");
    expect(router.place.view).toBeUndefined();
  });

  test("finds nothing of how a page was left by nobody who is known", () => {
    const { router } = opened("/history");
    router.viewNow = () => ({ top: 6_000, choices: {} });
    router.go("/scan");
    router.back();
    expect(router.place.view).toBeUndefined();
  });

  test("to a place of somebody who has left finds whose it was", () => {
    const window = new OpenedWindow("/");
    let person: string | undefined = "eva";
    const router = new Router(window as unknown as Window, () => person);
    router.keep("/confirm", { code: 1 });
    person = undefined;
    router.go("/welcome");
    expect(router.place.personId).toBeUndefined();
    router.back();
    expect(router.place).toMatchObject({ page: "confirm", personId: "eva" });
  });

  test("leads to the start also after the browser's own back and forward", () => {
    const { window, router } = opened("/scan");
    router.go("/confirm");
    window.press("back");
    window.press("forward");
    window.press("back");
    expect(router.place.page).toBe("scan");
    router.back();
    expect(router.place.page).toBe("home");
  });
});
