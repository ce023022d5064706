import type { Plugin } from "vite";

/**
 * Fails the build of a worker whose chunks import its entry, as a bundler arranges it for modules that they share.
 * WebKit evaluates an entry that is also imported twice: each message then has two listeners.
 */
export function workerEntryAlone(): Plugin {
  return {
    name: "cupo:worker-entry-alone",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const entries = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
      for (const { fileName, imports, dynamicImports } of chunks) {
        const imported = [...imports, ...dynamicImports].find((name) => entries.has(name));
        if (imported !== undefined)
          this.error(`${fileName} imports the worker's entry ${imported}: let them share no module.`);
      }
    },
  };
}
