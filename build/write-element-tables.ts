import { readFileSync, writeFileSync } from "node:fs";
import { elementTables, lookTable, withTable } from "./element-tables.ts";
import { describeElements, elementsOf } from "./package/describe-elements.ts";
import { elementNames, PACKAGE_FOLDER } from "./package/package-entries.ts";
import { readFlags } from "./usage.ts";

/** The guide's page of the elements. */
export const ELEMENTS_PAGE = "docs/elements.md";

/** The page with its tables as the sources have them now. */
export function withElementTables(text: string): string {
  const elements = elementsOf(describeElements(elementNames(), PACKAGE_FOLDER));
  const [first] = elements;
  if (first === undefined) throw new Error("no element is described");
  return elements.reduce(
    (page, element) => {
      const events = readFileSync(`widgets/${element.tagName}/${element.tagName}-events.ts`, "utf8");
      return withTable(page, element.tagName, elementTables(element, events));
    },
    withTable(text, "look", lookTable(first)),
  );
}

if (import.meta.main) {
  readFlags({
    script: "elements",
    text: `Writes the tables of ${ELEMENTS_PAGE} from the elements' sources. It needs the package (npm run package).`,
  });
  writeFileSync(ELEMENTS_PAGE, withElementTables(readFileSync(ELEMENTS_PAGE, "utf8")));
}
