import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { esbuildPlugin } from "@web/dev-server-esbuild";
import {
  defaultReporter,
  type Reporter,
  type TestRunnerConfig,
  type TestSession,
  type TestSuiteResult,
} from "@web/test-runner";
import { playwrightLauncher } from "@web/test-runner-playwright";
import { rolldown } from "rolldown";
import { CHROMIUM_ARGUMENTS, findChromium } from "./test/support/chromium.ts";
import { FIREFOX_ARGUMENTS } from "./test/support/firefox-look.ts";
import type { TestCounts } from "./test/support/test-counts.ts";
import { widgetTestPlugin } from "./test/support/widget-test-plugin.ts";

type BrowserPlugin = NonNullable<TestRunnerConfig["plugins"]>[number];

/** CommonJS modules that browser tests reach; a browser loads them only as one module made of each. */
const COMMONJS_MODULES: readonly string[] = ["qrcode/lib/core/qrcode.js", "axe-core", "jsqr"];
const BUNDLED_PREFIX = "/__bundled/";

/** Serves each of COMMONJS_MODULES as one bundled ES module (`@rollup/plugin-commonjs` failed here in every form). */
function bundledCommonjs(): BrowserPlugin {
  const bundles = new Map<string, Promise<string>>();
  return {
    name: "cupo:bundled-commonjs",
    resolveImport({ source }) {
      return COMMONJS_MODULES.includes(source) ? `${BUNDLED_PREFIX}${source}.js` : undefined;
    },
    async serve(context) {
      if (!context.path.startsWith(BUNDLED_PREFIX)) return undefined;
      const source = context.path.slice(BUNDLED_PREFIX.length, -".js".length);
      if (!COMMONJS_MODULES.includes(source)) return undefined;
      const bundle = bundles.get(source) ?? bundleModule(source);
      bundles.set(source, bundle);
      return { body: await bundle, type: "js" };
    },
  };
}

async function bundleModule(source: string): Promise<string> {
  const entry = "\0entry";
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [
      {
        name: "cupo:entry",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? `export { default } from ${JSON.stringify(source)};` : undefined),
      },
    ],
    resolve: { modules: [resolve("node_modules")] },
  });
  const { output } = await bundle.generate({ format: "es", codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

function testsIn(suite: TestSuiteResult): TestSuiteResult["tests"] {
  return [...suite.tests, ...suite.suites.flatMap(testsIn)];
}

function countOf(sessions: readonly TestSession[]): TestCounts {
  const tests = sessions.flatMap((session) => (session.testResults ? testsIn(session.testResults) : []));
  const withoutResult = sessions.filter((session) => !session.passed && session.errors.length > 0).length;
  return {
    passed: tests.filter((test) => test.passed && !test.skipped).length,
    failed: tests.filter((test) => !test.passed && !test.skipped).length + withoutResult,
    skipped: tests.filter((test) => test.skipped).length,
  };
}

/** Leaves the counts where `npm test` adds them up. */
function countReporter(): Reporter {
  return {
    onTestRunFinished({ sessions }) {
      mkdirSync("test-results", { recursive: true });
      writeFileSync("test-results/browser.json", JSON.stringify(countOf(sessions)));
    },
  };
}

const config: TestRunnerConfig = {
  files: ["{src,widgets,pwa}/**/*.browser.test.ts"],
  nodeResolve: { exportConditions: ["browser", "production"] },
  concurrency: 1,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 120_000,
  browsers: [
    playwrightLauncher({ launchOptions: { executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] } }),
    playwrightLauncher({
      product: "firefox",
      launchOptions: { channel: "moz-firefox", executablePath: "/usr/bin/firefox-esr", args: [...FIREFOX_ARGUMENTS] },
    }),
  ],
  plugins: [
    widgetTestPlugin(),
    bundledCommonjs(),
    esbuildPlugin({ ts: true, target: "esnext", tsconfig: resolve("tsconfig.base.json") }),
  ],
  testFramework: { config: { ui: "bdd", timeout: 10_000 } },
  reporters: [defaultReporter({ reportTestResults: true, reportTestProgress: false }), countReporter()],
};

/** Element tests in a real Chromium: `*.browser.test.ts`, beside the elements. */
export default config;
