import { registerHooks } from "node:module";
import { mended, UNMENDED_FILES } from "./mend-driver.ts";

const mendedFiles = new Set<string>();

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = UNMENDED_FILES.find((name) => url.endsWith(`/postgres/src/${name}`));
    if (file === undefined || loaded.source === undefined || loaded.source === null) return loaded;
    mendedFiles.add(file);
    return { ...loaded, source: mended(file, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});

/** The driver `postgres`, mended as it is loaded; everything else in the server imports its values from here. */
export const { default: postgres } = await import("postgres");

hooks.deregister();
if (mendedFiles.size !== UNMENDED_FILES.length) {
  throw new Error(
    "The driver was loaded before it could be mended: import server/database first, never postgres itself.",
  );
}
