import type { ESTree } from "rolldown/utils";
import { lineAt, type ProjectFile, visit } from "./project-files.ts";

/** Where a function's body begins (a line, from 1) and how many lines it has, those of its braces included. */
export interface FunctionBody {
  readonly line: number;
  readonly lines: number;
}

/**
 * Every function of a script: declarations, expressions, methods, accessors, arrows and static blocks. The callback of
 * a `describe` groups tests and is none.
 */
export function functionsIn(file: ProjectFile): readonly FunctionBody[] {
  const groups = new Set<ESTree.Node>();
  const found: FunctionBody[] = [];
  const add = ({ start, end }: ESTree.Span) => {
    const line = lineAt(file.text, start);
    found.push({ line, lines: lineAt(file.text, end) - line + 1 });
  };
  const addBody = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    if (node.body !== null && !groups.has(node)) add(node.body);
  };
  visit(file, {
    CallExpression: (call) => {
      if (isDescribe(call.callee)) for (const argument of call.arguments) groups.add(argument);
    },
    FunctionDeclaration: addBody,
    FunctionExpression: addBody,
    ArrowFunctionExpression: addBody,
    StaticBlock: add,
  });
  return found;
}

/** `describe`, and what its members and their calls return: `describe.each([…])`. */
function isDescribe(callee: ESTree.Expression): boolean {
  if (callee.type === "CallExpression") return isDescribe(callee.callee);
  if (callee.type === "MemberExpression") return isDescribe(callee.object);
  return callee.type === "Identifier" && callee.name === "describe";
}
