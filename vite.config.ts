import { cpSync } from "node:fs";
import {
  type BuildEnvironmentOptions,
  defineConfig,
  type EnvironmentOptions,
  type Logger,
  type ViteBuilder,
} from "vite";
import { injectManifest } from "workbox-build";
import { compactTemplates } from "./build/compact-templates.ts";
import { compressFiles } from "./build/compress-files.ts";
import { writePageScripts } from "./build/first-page.ts";
import { leanContract } from "./build/lean-contract.ts";
import { noOtherHost } from "./build/no-other-host.ts";
import { inOrderOfNeed } from "./build/precache-order.ts";
import { scriptFirst } from "./build/script-first.ts";
import { sharedTrustedTypesPolicy } from "./build/shared-trusted-types-policy.ts";
import { environmentName, WIDGET_BUNDLES } from "./build/widget-bundles.ts";
import { workerEntryAlone } from "./build/worker-entry-alone.ts";
import { type Integrity, writeIntegrity } from "./build/write-integrity.ts";

const APP_FOLDER = "dist/app";
const WORKER_FOLDER = "dist/service-worker";
const WORKER_FILE = "sw.js";

/** The scripts of merchants' pages: each with its map, and `integrity.json`; once more below the version's name. */
const WIDGETS_FOLDER = "dist/widgets";

/** The shop that shows the widgets at work: plain files, served as they are, but for the words of its showcase. */
const DEMO_FOLDER = "dist/demo";
const DEMO_WORDS = "elements-words";

/** Matches modules by the ends of their paths, without their extensions. */
function modules(...paths: readonly string[]): RegExp {
  const ends = paths.map((path) => path.replaceAll("/", "[\\\\/]")).join("|");
  return new RegExp(`[\\\\/](?:${ends})\\.m?[jt]s$`);
}

/**
 * Modules that make one script with all that they import: many small ones cost a phone a second. The first group is
 * what Home needs at its start, in the language of most; the icon by which pages are closed, and a directive that most
 * pages use, would each be a script of their own.
 */
const SCRIPTS = [
  {
    name: "first-page",
    test: modules(
      ...["pwa/main", "pwa/pages/home-page", "pwa/store/person-data", "pwa/live/after-start", "es/app/start"],
      ...["icons/x", "directives/live"],
    ),
  },
  { name: "lists", test: modules("pwa/pages/list-page", "pwa/components/statement-download") },
];

/** Above this a file is left out of the precache silently, so the limit is far above anything that the app ships. */
const PRECACHE_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * One script, one file: an environment of its own is the only form that is minified in full and shares no chunk. Its
 * constants stay constants, so that the minifier puts their values where they are used.
 */
function singleFile(input: string, outDir: string, fileName: string) {
  return {
    consumer: "client",
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        preserveEntrySignatures: "strict",
        treeshake: { propertyReadSideEffects: false },
        output: { entryFileNames: fileName, codeSplitting: false, minify: true, topLevelVar: false },
      },
    },
  } as const satisfies EnvironmentOptions;
}

/** An element's script comes with its map. */
function widget(bundle: string, entry: string): EnvironmentOptions {
  const { build, ...others } = singleFile(entry, WIDGETS_FOLDER, `${bundle}.js`);
  return { ...others, build: { ...build, sourcemap: true } };
}

function widgetEnvironments(): Record<string, EnvironmentOptions> {
  const entries = Object.entries(WIDGET_BUNDLES);
  return Object.fromEntries(entries.map(([bundle, entry]) => [environmentName(bundle), widget(bundle, entry)]));
}

/** Writes the list of the shell's files into the built service worker, so that the app opens without a network. */
async function writePrecacheManifest(logger: Logger): Promise<void> {
  const { count, size, warnings } = await injectManifest({
    swSrc: `${WORKER_FOLDER}/${WORKER_FILE}`,
    swDest: `${APP_FOLDER}/${WORKER_FILE}`,
    globDirectory: APP_FOLDER,
    // Without the decoder's WebAssembly, a megabyte that only scanning needs: pwa/scan/cached-wasm.ts keeps it.
    globPatterns: ["**/*.{html,js,css,svg,png,ico,woff2,webmanifest}"],
    globIgnores: [WORKER_FILE, "**/screenshots/**"],
    dontCacheBustURLsMatching: /^assets\/.+-[\w-]{8}\.\w+$/,
    maximumFileSizeToCacheInBytes: PRECACHE_LIMIT_BYTES,
    manifestTransforms: [inOrderOfNeed(APP_FOLDER)],
  });
  if (warnings.length > 0) throw new Error(`The precache list is not whole:\n${warnings.join("\n")}`);
  logger.info(`precache: ${count} files, ${(size / 1024).toFixed(1)} KB`);
}

function printIntegrity({ version, files }: Integrity, logger: Logger): void {
  logger.info(`widgets ${version}:`);
  for (const [name, { bytes, gzip, integrity }] of Object.entries(files)) {
    logger.info(`  ${name.padEnd(17)}${bytes} bytes, with gzip ${gzip}, ${integrity}`);
  }
}

/** Builds one bundle after the other; the service worker comes last because it lists what the app's bundle wrote. */
async function buildAll(builder: ViteBuilder): Promise<void> {
  const { logger } = builder.config;
  for (const name of ["client", ...Object.keys(WIDGET_BUNDLES).map(environmentName), "demo_words", "service_worker"]) {
    const environment = builder.environments[name];
    if (environment === undefined) throw new Error(`vite.config.ts has no environment "${name}".`);
    await builder.build(environment);
  }
  writePageScripts(APP_FOLDER);
  await writePrecacheManifest(logger);
  cpSync("widgets/demo", DEMO_FOLDER, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  printIntegrity(writeIntegrity(WIDGETS_FOLDER, Object.keys(WIDGET_BUNDLES)), logger);
  compressFiles([APP_FOLDER, WIDGETS_FOLDER, DEMO_FOLDER]);
}

const build: BuildEnvironmentOptions = {
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: true,
};

/**
 * One `vite build` makes the app (`dist/app`), each element's single file (`dist/widgets`) and the service worker.
 * Nothing is inlined into pages or scripts, because the pages' content security policy admits neither.
 */
export default defineConfig({
  publicDir: "pwa/public",
  build,
  worker: {
    format: "es",
    plugins: () => [noOtherHost(), workerEntryAlone()],
  },
  plugins: [
    sharedTrustedTypesPolicy(),
    compactTemplates(),
    leanContract(({ name }) => name === "client"),
    scriptFirst(),
  ],
  environments: {
    client: {
      build: {
        outDir: APP_FOLDER,
        emptyOutDir: true,
        // The imports of each script, for build/first-page.ts.
        manifest: true,
        rolldownOptions: {
          input: "index.html",
          output: { codeSplitting: { groups: SCRIPTS } },
        },
      },
    },
    ...widgetEnvironments(),
    demo_words: singleFile(`widgets/demo/${DEMO_WORDS}.ts`, DEMO_FOLDER, `${DEMO_WORDS}.js`),
    service_worker: singleFile("pwa/worker/service-worker.ts", WORKER_FOLDER, WORKER_FILE),
  },
  builder: { buildApp: buildAll },
});
