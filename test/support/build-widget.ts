import { resolve } from "node:path";
import { createBuilder } from "vite";

/** A script as it is shipped, and the text of its source map. */
export interface BuiltWidget {
  readonly code: string;
  readonly map: string;
}

/** The script of an element as `vite build` ships it, without writing it anywhere; `name` as in `widgets/NAME.ts`. */
export async function buildWidget(name: string): Promise<string> {
  const { code } = await buildWithMap(name);
  return code;
}

/** As {@link buildWidget}, with the map that leads back to the sources. */
export async function buildWithMap(name: string): Promise<BuiltWidget> {
  const builder = await createBuilder({ configFile: resolve("vite.config.ts"), logLevel: "error" });
  const environment = builder.environments[name.replaceAll("-", "_")];
  if (environment === undefined) throw new Error(`vite.config.ts builds no widget "${name}".`);
  environment.config.build.write = false;
  const result = await builder.build(environment);
  if (!("output" in result)) throw new Error("expected one bundle");
  const [chunk, map, ...others] = result.output;
  if (map?.type !== "asset" || others.length > 0) throw new Error("expected one script and its map");
  return { code: chunk.code, map: map.source.toString() };
}
