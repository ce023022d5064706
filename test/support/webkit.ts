import { existsSync } from "node:fs";
import { debianBrowser, installedBrowser, tell, type WantedBrowser } from "./find-browser.ts";

/** WebKitGTK's browser for tests; the driver starts it. */
const BROWSERS = ["4.1", "4.0", "6.0"].flatMap((version) =>
  ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/libexec"].map(
    (folder) => `${folder}/webkit${version === "6.0" ? "gtk" : "2gtk"}-${version}/MiniBrowser`,
  ),
);

/** It shows its pages on a screen in memory, and talks with its parts over a message bus of its own. */
const HELPERS = ["/usr/bin/Xvfb", "/usr/bin/dbus-run-session"];

const WEBKIT: WantedBrowser = Object.freeze({
  name: "WebKit",
  pathVariable: "WEBKIT_DRIVER_PATH",
  debianPackages: ["webkit2gtk-driver", "xvfb", "dbus"],
  usualPlaces: { linux: ["/usr/bin/WebKitWebDriver"] },
  refuse: () => {
    const missing = [
      ...HELPERS.filter((path) => !existsSync(path)),
      ...(miniBrowser() === undefined ? ["MiniBrowser"] : []),
    ];
    return missing.length === 0 ? undefined : `it needs ${missing.join(" and ")}`;
  },
});

/** The remark where no WebKit can be had: what is missing, and what to do. */
export const WITHOUT_WEBKIT =
  "NOT RUN in WebKit, because none could be had: install WebKitGTK's driver, Xvfb and dbus " +
  "(on Debian: apt-get install webkit2gtk-driver xvfb dbus), or set WEBKIT_DRIVER_PATH to WebKitWebDriver";

/** The path of WebKitGTK's browser. */
export function miniBrowser(): string | undefined {
  return BROWSERS.find((path) => existsSync(path));
}

/**
 * The path of a WebKit driver: `WEBKIT_DRIVER_PATH`, else an installed one, else on Debian as root the distribution's
 * package. Without one the same tests run in the other engines, and the run says so.
 */
export function findWebKit(tests: string): string | undefined {
  const found = installedBrowser(WEBKIT) ?? debianBrowser(WEBKIT);
  if (found === undefined) tell(WEBKIT.name, `${tests}: ${WITHOUT_WEBKIT}.`);
  return found;
}
