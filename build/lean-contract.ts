import type { Plugin } from "vite";
import { type Edit, editSource, replacements } from "./edit-source.ts";

/** Fields of a row that only servers and documents read: a caller needs name, method, path, media types and answer. */
const FOR_SERVERS: ReadonlySet<string | undefined> = new Set([
  ...["tag", "summary", "description", "access", "errors", "status", "writes"],
  ...["params", "query", "body", "responseOnly", "misplaced"],
]);

/** Pure calls: a script leaves out those whose value it does not use. */
const MAKERS = /\b(?:v\.\w+|Object\.freeze|operation)\(/g;

/** A node of a source's tree, as ESTree has it. */
interface TreeNode {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly TreeNode[];
  readonly properties?: readonly (TreeNode & { readonly key?: { readonly name?: string } })[];
}

/**
 * Leaves out of the app's scripts the parts of the contract that no caller needs: prose, the schemas of requests, which
 * the broker checks, and the rows and schemas that a script does not use.
 */
export function leanContract(isApp: (environment: { readonly name: string }) => boolean): Plugin {
  return {
    name: "cupo:lean-contract",
    apply: "build",
    applyToEnvironment: isApp,
    transform: {
      filter: { id: /[\\/]src[\\/]contract[\\/].+\.ts$/ },
      handler(code) {
        const dropped = rowsIn(this.parse(code)).flatMap(editsOf);
        const isDropped = ({ start }: Edit): boolean => dropped.some((edit) => start >= edit.start && start < edit.end);
        const marked = replacements(code, MAKERS, ([call]) => `/* @__PURE__ */ ${call}`);
        return editSource(code, [
          ...dropped,
          ...marked.filter((edit) => !isDropped(edit) && !isDeclaration(code, edit)),
        ]);
      },
    },
  };
}

/** The objects that `operation` is called with. */
function rowsIn(node: unknown): readonly TreeNode[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.values(node).flatMap(rowsIn);
  const { type, callee, arguments: given = [] } = node as TreeNode;
  const isRow = type === "CallExpression" && callee?.name === "operation";
  return isRow ? [...inner, ...given.slice(0, 1)] : inner;
}

/** Each field goes with the comma behind it. */
function editsOf({ end, properties = [] }: TreeNode): readonly Edit[] {
  return properties.flatMap(({ key, start }, index) => {
    if (!FOR_SERVERS.has(key?.name)) return [];
    return [{ start, end: properties[index + 1]?.start ?? end - 1, text: "" }];
  });
}

function isDeclaration(code: string, { start }: Edit): boolean {
  return code.slice(0, start).endsWith("function ");
}
