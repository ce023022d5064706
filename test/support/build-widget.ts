import { resolve } from "node:path";
import { createBuilder } from "vite";

/** The script of an element as `vite build` ships it, without writing it anywhere; `name` as in `widgets/NAME.ts`. */
export async function buildWidget(name: string): Promise<string> {
  const builder = await createBuilder({ configFile: resolve("vite.config.ts"), logLevel: "error" });
  const environment = builder.environments[name.replaceAll("-", "_")];
  if (environment === undefined) throw new Error(`vite.config.ts builds no widget "${name}".`);
  environment.config.build.write = false;
  const result = await builder.build(environment);
  if (!("output" in result)) throw new Error("expected one bundle");
  const [chunk, ...others] = result.output;
  if (others.length > 0) throw new Error(`expected one file, and found ${others.map((file) => file.fileName)}`);
  return chunk.code;
}
