import { parseArgs } from "node:util";

/** A script of package.json: its name after "npm run", the flags that it takes, and a text of what it does. */
interface Usage {
  readonly script: string;
  readonly flags?: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Returns the usage as text: the command line, what it does, and each flag with its meaning. */
function usageText({ script, flags = {}, text }: Usage): string {
  const names = Object.keys(flags).map((name) => ` [--${name}]`);
  const command = script === "test" ? "npm test" : `npm run ${script}`;
  const width = Math.max(0, ...Object.keys(flags).map(({ length }) => length));
  const lines = Object.entries(flags).map(([name, meaning]) => `  --${name.padEnd(width)}  ${meaning}`);
  return [`Usage: ${command}${names.length > 0 ? ` --${names.join("")}` : ""}`, "", text, ...lines, ""].join("\n");
}

/**
 * Reads the flags of a script's command line. Prints the usage and ends the process with 0 for `--help`, and with 2,
 * after the fault, for any word that it does not take.
 */
export function readFlags(usage: Usage): ReadonlySet<string> {
  const names = ["help", ...Object.keys(usage.flags ?? {})];
  const options = Object.fromEntries(names.map((name) => [name, { type: "boolean" as const }]));
  try {
    const { values } = parseArgs({ options });
    if (!values.help) return new Set(Object.keys(values));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usageText(usage)}`);
    process.exit(2);
  }
  process.stdout.write(usageText(usage));
  process.exit(0);
}
