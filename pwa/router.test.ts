import { describe, expect, test } from "vitest";
import { appPaths, pageOf } from "./app-paths.ts";
import { type LinkClick, takesClick } from "./router.ts";

const plainClick: LinkClick = {
  button: 0,
  modified: false,
  defaultPrevented: false,
  target: "",
  download: false,
  sameOrigin: true,
  path: "/history",
};

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
    expect(takesClick(plainClick)).toBe(true);
  });

  test.each<[string, Partial<LinkClick>]>([
    ["a new tab", { modified: true }],
    ["the middle button", { button: 1 }],
    ["a download", { download: true }],
    ["another window", { target: "_blank" }],
    ["another site", { sameOrigin: false }],
    ["a path of the server", { path: "/demo/" }],
    ["a click that somebody handled", { defaultPrevented: true }],
  ])("%s is left to the browser", (_name, change) => {
    expect(takesClick({ ...plainClick, ...change })).toBe(false);
  });
});
