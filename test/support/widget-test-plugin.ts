import { readFile } from "node:fs/promises";
import type { TestRunnerConfig } from "@web/test-runner";
import { WIDGET_BUNDLES } from "../../build/widget-bundles.ts";
import type { BrowserPool } from "./browser-pool.ts";
import { buildWidget } from "./build-widget.ts";
import { PAGE_COMMANDS } from "./page-commands.ts";
import { StubBroker, type StubFile } from "./stub-broker.ts";

type BrowserPlugin = NonNullable<TestRunnerConfig["plugins"]>[number];

/** The path at which a browser test reads the stub broker's origin. */
const STUB_ORIGIN_PATH = "/__stub-broker-origin.json";

/** The policy that a careful merchant's page sends (docs/elements.md); the broker is its own origin here. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types cupo";

/** Gives browser tests a stub broker over real HTTP, and commands for what a page cannot do to itself. */
export function widgetTestPlugin(): BrowserPlugin {
  const stub = new StubBroker({
    ...widgetScripts(),
    "/strict.html": () => page("strict.html", "text/html; charset=utf-8", { "Content-Security-Policy": STRICT_POLICY }),
    "/strict.js": () => page("strict.js", "text/javascript"),
  });
  let origin = "";
  return {
    name: "cupo:widget-test",
    async serverStart() {
      origin = await stub.listen();
    },
    serverStop: () => stub.close(),
    serve: ({ path }) => (path === STUB_ORIGIN_PATH ? { body: JSON.stringify({ origin }), type: "json" } : undefined),
    executeCommand({ command, payload, session }) {
      const run = PAGE_COMMANDS[command];
      return run?.((session.browser as BrowserPool).getPage(session.id), payload);
    },
  };
}

/** Every script that merchants' pages load, built when first asked for, and each at a second address too. */
function widgetScripts(): Record<string, () => Promise<StubFile>> {
  const built = new Map<string, Promise<string>>();
  const scriptOf = (name: string) => async (): Promise<StubFile> => {
    const script = built.get(name) ?? buildWidget(name);
    built.set(name, script);
    return { type: "text/javascript", body: await script };
  };
  const addresses = (name: string) => [`/widgets/${name}.js`, `/widgets/another/${name}.js`];
  return Object.fromEntries(
    Object.keys(WIDGET_BUNDLES).flatMap((name) => addresses(name).map((address) => [address, scriptOf(name)])),
  );
}

async function page(name: string, type: string, headers: Record<string, string> = {}): Promise<StubFile> {
  return { type, body: await readFile(`test/support/pages/${name}`, "utf8"), headers };
}
