import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import { editSource } from "./edit-source.ts";

/** The kinds of files that are alike in every element, in the order in which a script has them. */
const KINDS: readonly RegExp[] = Object.freeze([/-words\.ts$/, /\.styles\.ts$/, /-view\.ts$/]);

/**
 * Puts what is alike in several elements side by side in a script, their sentences, their styles, their markup: gzip
 * finds repetitions within 32 KB only, and the script of all elements is longer than twice that.
 */
export function groupAlike(isWidget: (environment: { readonly name: string }) => boolean): Plugin {
  return {
    name: "cupo:group-alike",
    apply: "build",
    applyToEnvironment: isWidget,
    transform: {
      filter: { id: /[\\/]widgets[\\/][\w-]+\.ts$/ },
      handler(code, id) {
        if (this.getModuleInfo(id)?.isEntry !== true) return undefined;
        const imports = importsFor(id).map((path) => `import ${JSON.stringify(path)};`);
        return editSource(code, [{ start: 0, end: 0, text: imports.join("") }]);
      },
    },
  };
}

/** The files of the elements that an entry defines: of all, where there is no folder of its name. */
function importsFor(entry: string): readonly string[] {
  const folder = dirname(entry);
  const own = basename(entry, ".ts");
  const elements = existsSync(join(folder, own)) ? [own] : elementsIn(folder);
  const files = elements.flatMap((name) => readdirSync(join(folder, name)).map((file) => `./${name}/${file}`));
  return KINDS.flatMap((kind) => files.filter((file) => kind.test(file)).sort());
}

function elementsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => existsSync(join(folder, `${name}.ts`)) && existsSync(join(folder, name)));
}
