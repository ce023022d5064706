import fc from "fast-check";
import type { Operation } from "../../src/contract/shared/operation.ts";

/** Texts that are nearly right for some field, and texts that are right for none. */
const oddText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "\ud800",
    "null",
    "NaN",
    "1e400",
    "-0",
    "__proto__",
    "2026-02-30",
    "9999-12-31T23:59:59-23:59",
  ),
  fc.constantFrom(
    "+57 300 000 0000",
    "0".repeat(300),
    "'; drop table users; --",
    "%00",
    "../..",
    "data:image/png;base64,A",
  ),
);

/** Payments of a batch, or nearly. */
const someItems = (near: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.array(
    fc.record({ amount: near, to_user_id: near, details: fc.jsonValue(), toString: near }, { requiredKeys: [] }),
    { maxLength: 3 },
  );

/** A value for any field: mostly one of those that are nearly right, else anything that JSON can hold. */
export function oddValue(nearlyRight: readonly unknown[]): fc.Arbitrary<unknown> {
  const near = fc.constantFrom<unknown>(...nearlyRight);
  return fc.oneof(
    { arbitrary: near, weight: 6 },
    someItems(near),
    oddText,
    fc.double(),
    fc.maxSafeInteger(),
    fc.jsonValue({ maxDepth: 4 }),
    fc.constant(null),
  );
}

/** The names of the fields of an operation's body or query. */
function namesOf(row: Operation): string[] {
  const schema = (row.body ?? row.query) as { readonly entries?: object } | undefined;
  return Object.keys(schema?.entries ?? {});
}

/** Fields of an operation's body or query with such values, some left out, at times with one that it does not have. */
export function oddFields(row: Operation, value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const known = namesOf(row).map((name) => fc.tuple(fc.constant(name), value));
  const unknown = fc.tuple(fc.oneof(oddText, fc.constantFrom("id", "quota", "constructor")), value);
  const picked = known.map((each) => fc.option(each, { nil: undefined, freq: 4 }));
  return fc
    .tuple(fc.tuple(...picked), fc.option(unknown, { nil: undefined, freq: 2 }))
    .map(([fields, extra]) => Object.fromEntries([...fields, extra].filter((each) => each !== undefined)));
}

/** A proper body or query, in which at most one field has such a value or is left out. */
export function bentFields(
  row: Operation,
  proper: Readonly<Record<string, unknown>>,
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const bent = fc.option(fc.tuple(fc.constantFrom(...namesOf(row), "constructor"), fc.option(value)), { freq: 2 });
  return bent.map((change) => {
    const [name, changed] = change ?? [];
    const fields = Object.entries({ ...proper, ...(name === undefined ? {} : { [name]: changed }) });
    return Object.fromEntries(fields.filter(([field, each]) => field !== name || each !== null));
  });
}

/** Bytes and texts, none of which is a JSON object with fields. */
export const brokenBody: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((array) => Uint8Array.from(array)),
  fc.string({ unit: "binary" }),
  fc.json().map((json) => json.slice(0, -1)),
  // A body without a required field may be empty.
  fc.json().filter((json) => json !== "{}"),
);

/** A value that any header may carry. */
export const headerValue: fc.Arbitrary<string> = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

/** A query string of any kind. */
export const anyQuery: fc.Arbitrary<string> = fc
  .oneof(fc.webQueryParameters(), headerValue)
  .map((search) => search.replaceAll("#", ""));

/** Fields as a query; a value that is no text is sent as its JSON. */
export function queryOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? value : String(JSON.stringify(value)),
  ]);
  return Object.fromEntries(texts);
}
