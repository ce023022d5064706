import * as v from "valibot";
import { expect, it } from "vitest";
import { brokerContract } from "../broker/broker.ts";
import { serviceContract } from "../service/service.ts";
import type { WireSchema } from "./operation.ts";

/** The fields of requests that name a person, a shop, a till, a device or a program, and no part of an address. */
const NAMES = /^(?!endpoint_).*name$|^device$|^till$/;

interface NamedField {
  readonly at: string;
  readonly schema: WireSchema;
}

/** The parts of a schema: those of an object, of its lists, of its choices, and what it wraps. */
interface Parts {
  readonly entries?: Readonly<Record<string, WireSchema>>;
  readonly item?: WireSchema;
  readonly wrapped?: WireSchema;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly unknown[];
}

/** The fields with names in a schema, however deep they lie. */
function namedIn(schema: unknown, at: string): readonly NamedField[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { entries = {}, item, wrapped, options = [], pipe = [] } = schema as Parts;
  const own = Object.entries(entries).flatMap(([field, part]) =>
    NAMES.test(field) ? [{ at: `${at}.${field}`, schema: part }] : namedIn(part, `${at}.${field}`),
  );
  // A pipe begins with its own schema, whose parts it also has itself.
  return [...own, ...[item, wrapped, ...options, ...pipe.slice(1)].flatMap((part) => namedIn(part, at))];
}

const fields = Object.values({ ...serviceContract, ...brokerContract }).flatMap(({ name, ...row }) =>
  "body" in row ? namedIn(row.body, name) : [],
);

it("a name is found in a list, a choice and an object of an object", () => {
  const shop = v.object({ name: v.string() });
  const schema = v.object({ shops: v.array(shop), owner: v.optional(v.union([shop, v.object({ till: v.string() })])) });
  expect(namedIn(schema, "x").map(({ at }) => at)).toEqual(["x.shops.name", "x.owner.name", "x.owner.till"]);
});

it("each request that brings a name is known here", () => {
  expect(fields.map(({ at }) => at).sort()).toEqual([
    "changeMerchant.name",
    "createApiClient.name",
    "createMerchant.name",
    "createSession.till",
    "createUser.business_name",
    "createUser.name",
    "finishEnrolment.device",
    "putMyNickname.nickname",
    "renameDevice.name",
    "updateUser.bussines_name",
    "updateUser.name",
  ]);
});

it.each(fields)("$at takes names alone", ({ schema }) => {
  expect(v.safeParse(schema, "Doña Rosa 北京").success).toBe(true);
  for (const text of ["Bancol\u043embia", "Mi\u200bTienda", "Nin\u0303o", "—"]) {
    expect(v.safeParse(schema, text).success, text).toBe(false);
  }
});

it.each(fields)("$at says what is wrong with a text that is none, by its code point", ({ schema }) => {
  const { issues = [] } = v.safeParse(schema, "Bancol\u043embia");
  expect(issues.map(({ message }) => message)).toEqual([
    "must not have U+043E (Cyrillic) beside letters of another script: " +
      "write it in one script, or in Latin with Chinese, Japanese or Korean",
  ]);
});
