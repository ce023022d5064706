import { readdirSync } from "node:fs";

const DEFINING_FILE = /^([a-z-]+)\.ts$/;

/**
 * The single-file scripts: bundle name (`dist/widgets/NAME.js`) to the module that defines the element, which is every
 * file that stands directly in `widgets/`; `widgets.ts` defines them all.
 */
export const WIDGET_BUNDLES: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(
    readdirSync(new URL("../widgets/", import.meta.url))
      .flatMap((file) => DEFINING_FILE.exec(file)?.[1] ?? [])
      .sort()
      .map((name) => [name, `widgets/${name}.ts`]),
  ),
);

/** The build environment of a bundle: names of environments have no hyphens. */
export function environmentName(bundle: string): string {
  return bundle.replaceAll("-", "_");
}
