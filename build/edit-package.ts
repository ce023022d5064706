import { RolldownMagicString } from "rolldown";
import type { Plugin } from "vite";

/** One edit of other people's code. */
interface PackageEdit {
  readonly name: string;
  /** The file that has the code. */
  readonly file: RegExp;
  /** The code to replace, wherever the file has it. */
  readonly code: RegExp;
  /** The code that stands there instead; `$1` is the pattern's first group. */
  readonly replacement: string;
  /** Text that no script may have after the edit. */
  readonly forbidden: RegExp;
}

/**
 * Edits the code of a package while it is bundled. The build fails when the file no longer has the code, and when a
 * script has the forbidden text after all, as where the package has moved its code to another file.
 */
export function editPackage({ name, file, code, replacement, forbidden }: PackageEdit): Plugin {
  return {
    name,
    apply: "build",
    transform: {
      filter: { id: file },
      handler(source, id) {
        const edited = new RolldownMagicString(source).replaceAll(code, replacement);
        if (!edited.hasChanged()) this.error(`${name} finds nothing to edit in ${id}: no code is like ${code}.`);
        return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }).toString() };
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !forbidden.test(chunk.code)) continue;
        this.error(`${chunk.fileName} has ${forbidden}, which ${name} is there to remove: see its file and code.`);
      }
    },
  };
}
