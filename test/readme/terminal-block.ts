import { readFileSync } from "node:fs";
import { join } from "node:path";

const README = join(import.meta.dirname, "../../README.md");

/** The block of the README that is typed into a terminal, such as `first-terminal` of "Run it for real". */
export function terminalBlock(name: string): string {
  const text = new RegExp(`^\`\`\`sh ${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(readFileSync(README, "utf8"))?.[1];
  if (text === undefined) throw new Error(`the README has no block that is marked ${name}`);
  return text;
}
