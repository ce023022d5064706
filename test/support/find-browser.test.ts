import { afterEach, describe, expect, it, vi } from "vitest";
import { installedBrowser, type WantedBrowser } from "./find-browser.ts";

const HERE = import.meta.filename;

function aBrowser(change: Partial<WantedBrowser> = {}): WantedBrowser {
  return {
    name: "Netscape",
    pathVariable: "NETSCAPE_PATH",
    debianPackages: ["netscape"],
    usualPlaces: { [process.platform]: ["/nowhere/netscape", HERE] },
    ...change,
  };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a browser for the tests", () => {
  it("is the first of the usual places where there is one", () => {
    expect(installedBrowser(aBrowser())).toBe(HERE);
    expect(installedBrowser(aBrowser({ usualPlaces: {} }))).toBeUndefined();
  });

  it("is the one that a person has named, and no other", () => {
    vi.stubEnv("NETSCAPE_PATH", process.execPath);
    expect(installedBrowser(aBrowser())).toBe(process.execPath);
    vi.stubEnv("NETSCAPE_PATH", "/nowhere/netscape");
    expect(() => installedBrowser(aBrowser())).toThrow("NETSCAPE_PATH names /nowhere/netscape: there is no such file");
  });

  it("is none that will not do", () => {
    const tooOld = aBrowser({ refuse: () => "it is too old" });
    expect(installedBrowser(tooOld)).toBeUndefined();
    vi.stubEnv("NETSCAPE_PATH", HERE);
    expect(() => installedBrowser(tooOld)).toThrow("it is too old");
  });
});
