import { WIDGET_BUNDLES } from "../widget-bundles.ts";

/** Where the published files are made. */
export const PACKAGE_FOLDER = "dist/package";

const ALL_ELEMENTS = "widgets";

/**
 * Returns the names of the elements, such as `pay-qr`: the base names of the files in `widgets/` that define one each.
 */
export function elementNames(): readonly string[] {
  return Object.keys(WIDGET_BUNDLES).filter((name) => name !== ALL_ELEMENTS);
}

interface Entry {
  readonly types: string;
  readonly default: string;
}

function entry(path: string): Entry {
  const file = `./${PACKAGE_FOLDER}/${path}`;
  return { types: `${file}.d.ts`, default: `${file}.js` };
}

/**
 * Returns the `exports` that package.json must have: two for each element, which is imported defined or as a class
 * alone, and those of all elements, the client, the webhooks, the React types and the descriptions for editors.
 */
export function packageEntries(names = elementNames()): Readonly<Record<string, Entry | string>> {
  return {
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`./${name}`, entry(`widgets/${name}`)],
        [`./${name}/element`, entry(`widgets/${name}/${name}`)],
      ]),
    ),
    "./widgets": entry("widgets/widgets"),
    "./client": entry("src/cupo-client"),
    "./webhooks": entry("src/cupo-webhooks"),
    "./react": entry("react"),
    "./custom-elements.json": `./${PACKAGE_FOLDER}/custom-elements.json`,
    "./vscode.html-custom-data.json": `./${PACKAGE_FOLDER}/vscode.html-custom-data.json`,
    "./vscode.css-custom-data.json": `./${PACKAGE_FOLDER}/vscode.css-custom-data.json`,
    "./package.json": "./package.json",
  };
}

/** Paths of the declaration files that package.json's `exports` name. */
export function declaredEntries(): readonly string[] {
  return Object.values(packageEntries()).flatMap((target) => (typeof target === "string" ? [] : [target.types]));
}
