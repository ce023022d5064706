import { readFile } from "node:fs/promises";
import type { TestRunnerConfig } from "@web/test-runner";
import type { BrowserPool } from "./browser-pool.ts";
import { buildWidget } from "./build-widget.ts";
import { PAGE_COMMANDS } from "./page-commands.ts";
import { StubBroker, type StubFile } from "./stub-broker.ts";

type BrowserPlugin = NonNullable<TestRunnerConfig["plugins"]>[number];

/** Where a browser test learns the stub broker's origin. */
const STUB_ORIGIN_PATH = "/__stub-broker-origin.json";

/** What a page of a careful merchant sends (widgets: CSP), the broker being its own origin here. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types cupo";

/** Gives browser tests a stub broker over real HTTP, and commands for what a page cannot do to itself. */
export function widgetTestPlugin(): BrowserPlugin {
  let widget: Promise<string> | undefined;
  const script = async (): Promise<StubFile> => {
    widget ??= buildWidget("pay-qr");
    return { type: "text/javascript", body: await widget };
  };
  const stub = new StubBroker({
    "/widgets/pay-qr.js": script,
    "/widgets/another/pay-qr.js": script,
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

async function page(name: string, type: string, headers: Record<string, string> = {}): Promise<StubFile> {
  return { type, body: await readFile(`test/support/pages/${name}`, "utf8"), headers };
}
