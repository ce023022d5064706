import { readFile } from "node:fs/promises";
import type { chromeLauncher, TestRunnerConfig } from "@web/test-runner";
import { buildWidget } from "./build-widget.ts";
import { StubBroker, type StubFile } from "./stub-broker.ts";

type BrowserPlugin = NonNullable<TestRunnerConfig["plugins"]>[number];
type Launcher = ReturnType<typeof chromeLauncher>;
type Page = ReturnType<Launcher["getPage"]>;
type DevTools = Awaited<ReturnType<Page["createCDPSession"]>>;

/** Where a browser test learns the stub broker's origin. */
const STUB_ORIGIN_PATH = "/__stub-broker-origin.json";

/** What a page of a careful merchant sends (widgets: CSP), the broker being its own origin here. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types cupo";

/** Media features, and the pixels that make one of CSS, that a browser test may ask for. */
interface Appearance {
  readonly colorScheme?: "light" | "dark";
  readonly forcedColors?: "active" | "none";
  readonly reducedMotion?: "reduce" | "no-preference";
  readonly width?: number;
  readonly scale?: number;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

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
      const run = commands[command];
      return run?.((session.browser as Launcher).getPage(session.id), payload);
    },
  };
}

async function page(name: string, type: string, headers: Record<string, string> = {}): Promise<StubFile> {
  return { type, body: await readFile(`test/support/pages/${name}`, "utf8"), headers };
}

type Command = (page: Page, payload: unknown) => Promise<unknown>;

const commands: Readonly<Record<string, Command>> = Object.freeze({
  "cupo:look": async (page, payload) => {
    await setAppearance(page, payload as Appearance);
    return true;
  },
  "cupo:screenshot": async (page, payload) => {
    const clip = { ...(payload as Rectangle), scale: 1 };
    // Through the session that emulates: the page's own screenshot would set the screen's measures anew.
    const tools = await devToolsOf(page);
    const { data } = await tools.send("Page.captureScreenshot", { format: "png", clip });
    return data;
  },
  "cupo:memory": async (page) => memoryOf(await devToolsOf(page)),
});

/** Emulation ends with the session that asked for it. */
const devTools = new WeakMap<Page, Promise<DevTools>>();

function devToolsOf(page: Page): Promise<DevTools> {
  const known = devTools.get(page) ?? page.createCDPSession();
  devTools.set(page, known);
  return known;
}

async function setAppearance(page: Page, appearance: Appearance): Promise<void> {
  const { colorScheme = "light", forcedColors = "none", reducedMotion = "no-preference" } = appearance;
  const tools = await devToolsOf(page);
  await tools.send("Emulation.setEmulatedMedia", {
    features: [
      { name: "prefers-color-scheme", value: colorScheme },
      { name: "forced-colors", value: forcedColors },
      { name: "prefers-reduced-motion", value: reducedMotion },
    ],
  });
  const { width = 800, scale = 1 } = appearance;
  await tools.send("Emulation.setDeviceMetricsOverride", {
    width,
    height: 900,
    deviceScaleFactor: scale,
    mobile: false,
  });
}

/** Nodes and listeners that are still there after a garbage collection. */
async function memoryOf(tools: DevTools): Promise<Record<string, number>> {
  await tools.send("Performance.enable");
  await tools.send("HeapProfiler.collectGarbage");
  const { metrics } = await tools.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
