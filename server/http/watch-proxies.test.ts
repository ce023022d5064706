import { expect, test } from "vitest";
import { parseTrustedProxies } from "./client-address.ts";
import { watchProxies } from "./watch-proxies.ts";

function watching(trusted: readonly string[]) {
  const warned: object[] = [];
  const none = () => undefined;
  const log = { debug: none, info: none, error: none, warn: (fields: object) => warned.push(fields) };
  return { warned, look: watchProxies(log, parseTrustedProxies(trusted)) };
}

const forwarded = new Headers({ "x-forwarded-for": "203.0.113.7" });

test("the first header of a proxy that nobody declared is warned of, once, and its private address is named", () => {
  const { warned, look } = watching(["10.0.0.1"]);
  look("10.0.0.2", new Headers());
  look("10.0.0.1", forwarded);
  expect(warned).toEqual([]);
  look("::ffff:10.0.0.2", forwarded);
  look("10.0.0.3", new Headers({ forwarded: "for=203.0.113.7" }));
  expect(warned).toEqual([{ peer: "10.0.0.2" }]);
});

test("an address of the internet, which may be a person's, is not logged", () => {
  const { warned, look } = watching([]);
  look("198.51.100.9", new Headers({ forwarded: "for=203.0.113.7" }));
  expect(warned).toEqual([{}]);
});
