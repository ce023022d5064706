import { configDefaults, defineConfig } from "vitest/config";

const browserTests = "**/*.browser.test.ts";
const journeys = "test/e2e/**/*.e2e.test.ts";
const builtFolders = ["dist/**", "data/**", "test-results/**"];

/** A test that starts a PostgreSQL or a browser waits for it; a hang still ends within this. */
const TIMEOUT_MS = 60_000;
const JOURNEY_TIMEOUT_MS = 120_000;

/**
 * Two projects: `node` runs the units, laws, contract, races and the repository's own rules; `e2e` drives the built
 * product in a real browser, one file at a time, and so wants `vite build` first.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "node",
          environment: "node",
          globalSetup: "test/support/global-setup.ts",
          include: ["{build,src,server,widgets,pwa,test}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...builtFolders, browserTests, journeys],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          // A fresh process for each of 250 files took minutes: files share their modules, and clean up what else they touch.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          environment: "node",
          include: [journeys],
          fileParallelism: false,
          testTimeout: JOURNEY_TIMEOUT_MS,
          hookTimeout: JOURNEY_TIMEOUT_MS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
