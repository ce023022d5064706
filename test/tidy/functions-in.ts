import { maskSource } from "./mask-source.ts";

/** Where a function's body begins (a line, from 1) and how many lines it has, those of its braces included. */
export interface FunctionBody {
  readonly line: number;
  readonly lines: number;
}

interface Brackets {
  /** Every bracket's position to that of its partner. */
  readonly partner: ReadonlyMap<number, number>;
  /** Every bracket's and arrow's position to that of the bracket around it. */
  readonly around: ReadonlyMap<number, number>;
}

const STATEMENT_WORD = /(?:^|[^\w$.])(?:if|for|while|switch|catch|with|await)\s*$/;
const TYPE_OPERATOR = /(?:keyof|readonly|typeof|infer|unique|asserts|is|extends|new|abstract)\b|=>|[|&.?:]/y;
const TYPE_NAME = /[\w$]+/y;
const DESCRIBE_CALL = /\bdescribe(?:\.\w+)*(?:\([^()]*\))?\s*$/;

/** Every function of a source, methods and arrows included; the callback of a `describe` groups tests and is none. */
export function functionsIn(source: string): readonly FunctionBody[] {
  const code = maskSource(source);
  const brackets = pairBrackets(code);
  const bodies = [...arrowBodies(code, brackets), ...declaredBodies(code, brackets)];
  return bodies.map(([from, to]) => ({ line: lineOf(code, from), lines: lineOf(code, to) - lineOf(code, from) + 1 }));
}

function lineOf(code: string, position: number): number {
  return code.slice(0, position).split("\n").length;
}

function pairBrackets(code: string): Brackets {
  const partner = new Map<number, number>();
  const around = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: token, index } of code.matchAll(/=>|[()[\]{}]/g)) {
    const closed = ")]}".includes(token) ? open.pop() : undefined;
    if (closed !== undefined) partner.set(closed, index).set(index, closed);
    around.set(index, open.at(-1) ?? -1);
    if ("([{".includes(token)) open.push(index);
  }
  return { partner, around };
}

function* arrowBodies(code: string, brackets: Brackets): Generator<[number, number]> {
  for (const { index } of code.matchAll(/=>/g)) {
    if (isDescribeCallback(code, brackets.around.get(index))) continue;
    const from = skipSpace(code, index + 2);
    const end = code.charAt(from) === "{" ? brackets.partner.get(from) : expressionEnd(code, brackets, from);
    if (end !== undefined) yield [from, end];
  }
}

/** The end of an arrow's expression; for an arrow in a type, where the declaration around it goes on. */
function expressionEnd(code: string, { partner }: Brackets, from: number): number {
  let conditions = 0;
  for (let at = from; at < code.length; at += 1) {
    const character = code.charAt(at);
    if (/[,;)\]}]/.test(character) || endsType(code, from, at)) return at - 1;
    if (character === "?" && !/[?.]/.test(code.charAt(at + 1)) && code.charAt(at - 1) !== "?") conditions += 1;
    if (character === ":" && conditions === 0) return at - 1;
    if (character === ":") conditions -= 1;
    if (/[([{]/.test(character)) at = partner.get(at) ?? at;
  }
  return code.length - 1;
}

/** True where a brace follows an operand: the arrow was one of a type, the brace opens what that type belongs to. */
function endsType(code: string, from: number, at: number): boolean {
  if (code.charAt(at) !== "{") return false;
  const before = code.slice(from, at).trimEnd();
  if (/=>$|[=(,:?|&!+*<%~^$-]$/.test(before)) return false;
  return !/\b(?:function|class)\b/.test(before);
}

function* declaredBodies(code: string, brackets: Brackets): Generator<[number, number]> {
  for (const { index } of code.matchAll(/\)/g)) {
    const parameters = brackets.partner.get(index);
    if (parameters === undefined || !mayBeParameters(code, parameters)) continue;
    if (isDescribeCallback(code, brackets.around.get(parameters))) continue;
    const next = skipSpace(code, index + 1);
    const from = code.charAt(next) === ":" ? afterReturnType(code, brackets, next + 1) : next;
    const to = code.charAt(from) === "{" ? brackets.partner.get(from) : undefined;
    if (to !== undefined) yield [from, to];
  }
}

/** False for the brackets of statements (`if (…) {`) and of a class that extends a call's result. */
function mayBeParameters(code: string, parameters: number): boolean {
  const before = code.slice(0, parameters);
  if (STATEMENT_WORD.test(before.slice(-12))) return false;
  const statement = before.slice(Math.max(...["{", "}", ";"].map((mark) => before.lastIndexOf(mark))) + 1);
  return !/\bclass\b/.test(statement);
}

function isDescribeCallback(code: string, call: number | undefined): boolean {
  return call !== undefined && call >= 0 && DESCRIBE_CALL.test(code.slice(Math.max(0, call - 200), call));
}

/**
 * The place after a return type, or that of the first sign that it was none (a `case`, a conditional expression). In a
 * type a brace opens an object type as long as an operand is due, and the body once it has been read.
 */
function afterReturnType(code: string, { partner }: Brackets, start: number): number {
  let operandDue = true;
  let at = skipSpace(code, start);
  while (at < code.length) {
    const after = operandDue ? operandEnd(code, partner, at) : suffixEnd(code, partner, at);
    if (after === undefined) return at;
    operandDue = operatorAt(code, at) !== undefined;
    at = skipSpace(code, after);
  }
  return at;
}

function operandEnd(code: string, partner: ReadonlyMap<number, number>, at: number): number | undefined {
  const operator = operatorAt(code, at);
  if (operator !== undefined) return at + operator.length;
  if (/[([{]/.test(code.charAt(at))) return (partner.get(at) ?? at) + 1;
  if (/["']/.test(code.charAt(at))) return code.indexOf(code.charAt(at), at + 1) + 1;
  return wordEnd(code, at);
}

function suffixEnd(code: string, partner: ReadonlyMap<number, number>, at: number): number | undefined {
  const operator = operatorAt(code, at);
  if (operator !== undefined) return at + operator.length;
  if (code.charAt(at) === "[") return (partner.get(at) ?? at) + 1;
  return code.charAt(at) === "<" ? genericEnd(code, at) : undefined;
}

function genericEnd(code: string, from: number): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of code.slice(from).matchAll(/=>|[<>;]/g)) {
    if (token === "<") depth += 1;
    if (token === ">") depth -= 1;
    if (depth === 0) return from + index + 1;
  }
  return undefined;
}

function operatorAt(code: string, at: number): string | undefined {
  TYPE_OPERATOR.lastIndex = at;
  return TYPE_OPERATOR.exec(code)?.[0];
}

function wordEnd(code: string, at: number): number | undefined {
  TYPE_NAME.lastIndex = at;
  return TYPE_NAME.test(code) ? TYPE_NAME.lastIndex : undefined;
}

function skipSpace(code: string, from: number): number {
  const found = code.slice(from).search(/\S/);
  return found < 0 ? code.length : from + found;
}
