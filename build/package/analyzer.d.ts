/** The parts of the analyzer that are called from here: its own types leave them out. */
declare module "@custom-elements-manifest/analyzer/index.js" {
  interface SourceFile {
    readonly fileName: string;
  }
  export const ts: {
    readonly ScriptTarget: { readonly ES2022: number };
    createSourceFile(fileName: string, text: string, target: number, setParentNodes: boolean): SourceFile;
  };
  export function create(options: {
    readonly modules: readonly SourceFile[];
    readonly plugins: readonly unknown[];
    readonly context: { readonly dev: boolean; readonly thirdPartyCEMs: readonly unknown[] };
  }): import("./describe-elements.ts").Manifest;
}

declare module "@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js" {
  /** The plugins that the flag `--litelement` of its command adds. */
  export function litPlugin(): readonly unknown[];
}
