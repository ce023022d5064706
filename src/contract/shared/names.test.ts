import * as v from "valibot";
import { expect, it } from "vitest";
import { brokerContract } from "../broker/broker.ts";
import { serviceContract } from "../service/service.ts";
import type { WireSchema } from "./operation.ts";

/** The fields of requests that name a person, a shop, a till, a device or a program, and no part of an address. */
const NAMES = /^(?!endpoint_).*name$|^device$|^till$/;

const fields = Object.values({ ...serviceContract, ...brokerContract }).flatMap(({ name, ...row }) => {
  const { entries = {} } = ("body" in row ? row.body : {}) as { readonly entries?: Record<string, WireSchema> };
  const named = Object.keys(entries).filter((field) => NAMES.test(field));
  return named.map((field) => ({ at: `${name}.${field}`, schema: entries[field] as WireSchema }));
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
