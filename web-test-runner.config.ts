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
import { rolldown } from "rolldown";
import { BrowserPool } from "./test/support/browser-pool.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "./test/support/chromium.ts";
import { findFirefox, WITHOUT_FIREFOX } from "./test/support/firefox.ts";
import { FIREFOX_ARGUMENTS } from "./test/support/inside-firefox.ts";
import type { TestCounts } from "./test/support/test-counts.ts";
import { widgetTestPlugin } from "./test/support/widget-test-plugin.ts";
import { WORKERS } from "./test/support/workers.ts";

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

/** Each failed test as file, name and message; or a file with what kept it from running. */
function failuresOf({ testFile, testResults, errors }: TestSession): readonly string[] {
  const tests =
    testResults === undefined ? [] : testsIn(testResults).filter(({ passed, skipped }) => !passed && !skipped);
  const failures = tests.map(({ name, error }) => `${testFile} > ${name}\n${error?.message ?? ""}`);
  return [...failures, ...errors.map(({ message }) => `${testFile}\n${message}`)];
}

/** Leaves the counts, the failures, and what was not run at all, where `npm test` adds them up. */
function countReporter(): Reporter {
  return {
    onTestRunFinished({ sessions }) {
      const failures = sessions.filter(({ passed }) => !passed).flatMap(failuresOf);
      const remarks = firefoxPath === undefined ? [`Element tests: ${WITHOUT_FIREFOX}.`] : [];
      mkdirSync("test-results", { recursive: true });
      writeFileSync("test-results/browser.json", JSON.stringify({ ...countOf(sessions), failures, remarks }));
    },
  };
}

const firefoxPath = findFirefox("Element tests");

function chromiumPool(): BrowserPool {
  const launchOptions = { executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] };
  return new BrowserPool(WORKERS, { launchOptions });
}

function firefoxPool(executablePath: string): BrowserPool {
  const launchOptions = { channel: "moz-firefox", executablePath, args: [...FIREFOX_ARGUMENTS] };
  return new BrowserPool(WORKERS, { product: "firefox", launchOptions });
}

const config: TestRunnerConfig = {
  files: ["{src,widgets,pwa}/**/*.browser.test.ts"],
  nodeResolve: { exportConditions: ["browser", "production"] },
  browserStartTimeout: 60_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 120_000,
  browsers: [chromiumPool(), ...(firefoxPath === undefined ? [] : [firefoxPool(firefoxPath)])],
  plugins: [
    widgetTestPlugin(),
    bundledCommonjs(),
    esbuildPlugin({ ts: true, target: "esnext", tsconfig: resolve("tsconfig.base.json") }),
  ],
  testFramework: { config: { ui: "bdd", timeout: 30_000 } },
  reporters: [defaultReporter({ reportTestResults: true, reportTestProgress: false }), countReporter()],
};

/** Element tests in a real Chromium and a real Firefox: `*.browser.test.ts`, beside the elements. */
export default config;
