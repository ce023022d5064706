import { expect, test } from "vitest";
import { languageName } from "./language-name.ts";

test.each([
  ["es", "Español"],
  ["en", "English"],
  ["pt", "Português"],
])("%s calls itself %s", (language, name) => expect(languageName(language)).toBe(name));
