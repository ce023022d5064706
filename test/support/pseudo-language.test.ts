import { expect, test } from "vitest";
import { pseudoSource } from "./pseudo-language.ts";

const ENGLISH = `import type { Words } from "../es/words.ts";

const unchanged = "Nothing moved.";

export const words: Words = {
  tag: "en-GB",
  pay: "Pay now",
  dots: "···",
  found: (count) => (count === 1 ? \`\${count} hit\` : \`\${count} hits\`),
  both: (a: Record<"kind", string>) => \`\${a.kind}: \${unchanged}\`,
  failed: { title: \`Not paid. \${unchanged}\` },
};
`;

const PSEUDO = `import type { Words } from "../es/words.ts";

const unchanged = "[Nóothíing móovéed.]";

export const words: Words = {
  tag: "el",
  pay: "[Páay nóow]",
  dots: "···",
  found: (count) => (count === 1 ? \`[\${count} híit]\` : \`[\${count} híits]\`),
  both: (a: Record<"kind", string>) => \`\${a.kind}: \${unchanged}\`,
  failed: { title: \`[Nóot páaíid. \${unchanged}]\` },
};
`;

test("every text of a file is translated, and nothing else", () => {
  expect(pseudoSource("words.ts", ENGLISH, "el")).toBe(PSEUDO);
});
