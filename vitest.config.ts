import { configDefaults, defineConfig } from "vitest/config";
import { unitTests } from "./test/support/unit-tests.ts";
import { WORKERS } from "./test/support/workers.ts";

const browserTests = "**/*.browser.test.ts";
const journeys = "test/e2e/**/*.e2e.test.ts";
const attacks = "test/attacks/**/*.attack.test.ts";
const measuredJourneys = "test/e2e/**/*.measured.e2e.test.ts";
const builtFolders = ["dist/**", "data/**", "test-results/**"];

const GLOBAL_SETUP = "test/support/global-setup.ts";

/** A test that starts a PostgreSQL or a browser waits for it; a hang still ends within this. */
const TIMEOUT_MS = 60_000;
const JOURNEY_TIMEOUT_MS = 120_000;

/** A condition that is polled for comes true within this on a busy machine too; without a fault it is a moment. */
const polling = { poll: { timeout: 10_000 } };

const journey = {
  environment: "node",
  expect: polling,
  globalSetup: GLOBAL_SETUP,
  testTimeout: JOURNEY_TIMEOUT_MS,
  hookTimeout: JOURNEY_TIMEOUT_MS,
} as const;

const inNode = {
  environment: "node",
  expect: polling,
  exclude: [...configDefaults.exclude, ...builtFolders, browserTests, journeys, attacks],
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  // A process for each took a third of the time: files share modules, and clean up what else they touch.
  isolate: false,
  sequence: { groupOrder: 0 },
};

/**
 * Five projects: `node` runs the units, laws, contract, races and the repository's own rules; `unit` runs those of the
 * units alone that need no PostgreSQL and no browser; `attacks` starts the product and attacks it from outside; `e2e`
 * drives the built product in a real browser; `measured` does that too, but one file at a time and after all others,
 * for what measures how quick the product is. `attacks`, `e2e` and `measured` need `vite build` first.
 */
export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    projects: [
      {
        test: {
          ...inNode,
          name: "node",
          globalSetup: GLOBAL_SETUP,
          include: ["{build,src,server,widgets,pwa,test}/**/*.test.ts"],
        },
      },
      {
        test: {
          ...inNode,
          name: "unit",
          include: [...unitTests(import.meta.dirname)],
        },
      },
      {
        test: {
          ...journey,
          name: "attacks",
          include: [attacks],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...journey,
          name: "e2e",
          include: [journeys],
          exclude: [...configDefaults.exclude, measuredJourneys],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...journey,
          name: "measured",
          include: [measuredJourneys],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
