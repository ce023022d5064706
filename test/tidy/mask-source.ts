const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const QUOTED = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const TEMPLATE_HEAD = /`(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
const TEMPLATE_REST = /\}(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;

/** After one of these a slash begins a regular expression; after anything else it divides. */
const BEFORE_EXPRESSION = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|else|await))$/;

const LONGEST_KEYWORD = 8;

/**
 * The same text with everything blanked that is not code: comments, what stands in quotes and templates, regular
 * expressions. Lengths and lines stay, quotes and the braces of `${…}` too, so that places found in it hold for the
 * source. It spares the rules a parser, and a word in a sentence is no fault.
 */
export function maskSource(source: string): string {
  let masked = "";
  const openBraces: ("block" | "template")[] = [];
  while (masked.length < source.length) {
    const token = nextToken(source, masked, openBraces.at(-1) === "template");
    if (token.endsWith("${")) openBraces.push("template");
    else if (token === "{") openBraces.push("block");
    if (token.startsWith("}")) closeBrace(openBraces, token.endsWith("${"));
    masked += blank(token);
  }
  return masked;
}

/** A `}` that goes on with template text up to the next `${` closed one brace and opened another: just pushed above. */
function closeBrace(openBraces: ("block" | "template")[], opensAnother: boolean): void {
  const opened = opensAnother ? openBraces.pop() : undefined;
  openBraces.pop();
  if (opened !== undefined) openBraces.push(opened);
}

function nextToken(source: string, masked: string, inTemplate: boolean): string {
  const at = masked.length;
  const character = source.charAt(at);
  if (character === "/") {
    return match(COMMENT, source, at) ?? ((expressionMayBegin(masked) && match(REGULAR_EXPRESSION, source, at)) || "/");
  }
  if (character === '"' || character === "'") return match(QUOTED, source, at) ?? character;
  if (character === "`") return match(TEMPLATE_HEAD, source, at) ?? character;
  if (character === "}" && inTemplate) return match(TEMPLATE_REST, source, at) ?? character;
  return character;
}

function expressionMayBegin(masked: string): boolean {
  const before = masked.trimEnd();
  return BEFORE_EXPRESSION.test(before.slice(-LONGEST_KEYWORD));
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function blank(token: string): string {
  if (token.length === 1) return token;
  const first = /^["'`}]/.test(token) ? token.charAt(0) : " ";
  const last = token.endsWith("${") ? "${" : first === " " ? " " : token.charAt(token.length - 1);
  const inner = token.slice(1, token.length - last.length).replace(/[^\n]/g, " ");
  return first + inner + last;
}
