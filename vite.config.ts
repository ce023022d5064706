import { cpSync } from "node:fs";
import {
  type BuildEnvironmentOptions,
  defineConfig,
  type EnvironmentOptions,
  type Plugin,
  type ViteBuilder,
} from "vite";
import { injectManifest } from "workbox-build";

/** The single-file elements: bundle name (`dist/widgets/NAME.js`) to the module that defines the element. */
const WIDGET_BUNDLES: Readonly<Record<string, string>> = Object.freeze({
  "pay-qr": "widgets/pay-qr.ts",
});

const APP_FOLDER = "dist/app";
const WORKER_FOLDER = "dist/service-worker";
const WORKER_FILE = "sw.js";

/** The shop that shows the widgets at work: plain files, served as they are. */
const DEMO_FOLDER = "dist/demo";

/** Above this a file is left out of the precache silently, so the limit is far above anything that the app ships. */
const PRECACHE_LIMIT_BYTES = 4 * 1024 * 1024;

const LIT_POLICY =
  /([\w$]+(?:\.[\w$]+)*)\.createPolicy\(\s*"lit-html",\s*\{\s*createHTML:\s*\(?([\w$]+)\)?\s*=>\s*\2\s*,?\s*\}\s*\)/g;

/**
 * Lets every copy of lit-html on a page share the one Trusted Types policy that a strict page admits (`trusted-types
 * cupo`): Lit creates a policy of its own name, which such a page refuses, and a second creation would throw.
 */
function sharedTrustedTypesPolicy(): Plugin {
  return {
    name: "cupo:shared-trusted-types-policy",
    apply: "build",
    transform: {
      filter: { id: /[\\/]lit-html[\\/](?:.*[\\/])?lit-html\.js$/ },
      handler(code) {
        const replaced = code.replace(
          LIT_POLICY,
          (_match, factory: string) =>
            `(globalThis[Symbol.for("cupo.trusted-types")]??=${factory}` +
            `.createPolicy("cupo",{createHTML:s=>s,createScriptURL:s=>s}))`,
        );
        if (replaced === code)
          this.error("lit-html no longer creates its policy in the form known here: see LIT_POLICY.");
        return { code: replaced, map: null };
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const leaks = chunk.type === "chunk" && /createPolicy\(\s*["'`]lit-html/.test(chunk.code);
        if (leaks) this.error(`${chunk.fileName} still creates the policy "lit-html", which a strict page refuses.`);
      }
    },
  };
}

const LIT_HOOKS = /\b[\w$]+\.(?:lit(?:Html|Element)|reactiveElement)(?:Polyfill|Hydrate)Support\b/g;

/** Lit's hooks for browsers without shadow DOM and for pages drawn by a server: no element of ours meets either. */
function withoutLitHooks(): Plugin {
  return {
    name: "cupo:without-lit-hooks",
    apply: "build",
    applyToEnvironment: isWidget,
    transform: {
      filter: { id: /[\\/](?:lit-html|lit-element|reactive-element)\.js$/ },
      handler(code, id) {
        const replaced = code.replace(LIT_HOOKS, "undefined");
        if (replaced === code) this.error(`${id} no longer has hooks in the form known here: see LIT_HOOKS.`);
        return { code: replaced, map: null };
      },
    },
  };
}

/** Minifiers leave template literals as they are; the elements' styles would weigh a quarter kilobyte more for it. */
function compactStyles(): Plugin {
  return {
    name: "cupo:compact-styles",
    apply: "build",
    transform: {
      filter: { id: /[\\/]widgets[\\/].*(?:\.styles|[\\/]look)\.ts$/ },
      handler: (code) => ({ code: code.replace(/css`[^`]*`/g, compactCss), map: null }),
    },
  };
}

function compactCss(css: string): string {
  const withoutComments = css.replace(/\/\*[\s\S]*?\*\//g, "");
  return withoutComments
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;\}/g, "}")
    .replace(/ > /g, ">")
    .replace(/(?<![\d.])0\./g, ".")
    .trim();
}

/**
 * Takes the indentation out of the elements' markup. It does so once the script is minified, because then template
 * literals are the only place with a line break.
 */
function compactMarkup(): Plugin {
  return {
    name: "cupo:compact-markup",
    apply: "build",
    applyToEnvironment: isWidget,
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk") chunk.code = chunk.code.replace(/\n {2,}/g, " ");
      }
    },
  };
}

/** One script, one file: an environment of its own is the only form that is minified in full and shares no chunk. */
function singleFile(input: string, outDir: string, fileName: string): EnvironmentOptions {
  return {
    consumer: "client",
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        // `<pay-qr>` takes the drawing from src/qr-matrix.ts, not the encoder of `qrcode`: see widgets/shared/qr-code.
        treeshake: { moduleSideEffects: [{ test: /[\\/]node_modules[\\/]qrcode[\\/]/, sideEffects: false }] },
        preserveEntrySignatures: "strict",
        output: { entryFileNames: fileName, codeSplitting: false, minify: true },
      },
    },
  };
}

function environmentName(bundle: string): string {
  return bundle.replaceAll("-", "_");
}

function isWidget({ name }: { readonly name: string }): boolean {
  return Object.keys(WIDGET_BUNDLES).map(environmentName).includes(name);
}

function widgetEnvironments(): Record<string, EnvironmentOptions> {
  const entries = Object.entries(WIDGET_BUNDLES);
  return Object.fromEntries(
    entries.map(([bundle, entry]) => [environmentName(bundle), singleFile(entry, "dist/widgets", `${bundle}.js`)]),
  );
}

/** Writes the list of the shell's files into the built service worker, so that the app opens without a network. */
async function writePrecacheManifest(): Promise<void> {
  const { count, size, warnings } = await injectManifest({
    swSrc: `${WORKER_FOLDER}/${WORKER_FILE}`,
    swDest: `${APP_FOLDER}/${WORKER_FILE}`,
    globDirectory: APP_FOLDER,
    globPatterns: ["**/*.{html,js,css,svg,png,ico,woff2,wasm,webmanifest}"],
    globIgnores: [WORKER_FILE, "**/screenshots/**"],
    dontCacheBustURLsMatching: /^assets\/.+-[\w-]{8}\.\w+$/,
    maximumFileSizeToCacheInBytes: PRECACHE_LIMIT_BYTES,
  });
  if (warnings.length > 0) throw new Error(`The precache list is not whole:\n${warnings.join("\n")}`);
  console.info(`precache: ${count} files, ${(size / 1024).toFixed(1)} KB`);
}

/** Builds one bundle after the other; the service worker comes last because it lists what the app's bundle wrote. */
async function buildAll(builder: ViteBuilder): Promise<void> {
  for (const name of ["client", ...Object.keys(WIDGET_BUNDLES).map(environmentName), "service_worker"]) {
    const environment = builder.environments[name];
    if (environment === undefined) throw new Error(`vite.config.ts has no environment "${name}".`);
    await builder.build(environment);
  }
  await writePrecacheManifest();
  cpSync("widgets/demo", DEMO_FOLDER, { recursive: true });
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
  worker: { format: "es" },
  plugins: [sharedTrustedTypesPolicy(), withoutLitHooks(), compactStyles(), compactMarkup()],
  environments: {
    client: {
      build: { outDir: APP_FOLDER, emptyOutDir: true, rolldownOptions: { input: "index.html" } },
    },
    ...widgetEnvironments(),
    service_worker: singleFile("pwa/worker/service-worker.ts", WORKER_FOLDER, WORKER_FILE),
  },
  builder: { buildApp: buildAll },
  server: { port: 4001, proxy: { "/v1": "http://127.0.0.1:4000", "/demo": "http://127.0.0.1:4000" } },
});
