import { getCountryCallingCode } from "libphonenumber-js";
import type { Sql } from "../../database/connect.ts";
import { bareNit, DEFAULT_REGION } from "./find-user.ts";

/** Letters as they are compared: without accents and in lower case. */
function plainLetters(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function nameHolds(sql: Sql, column: string, letters: string) {
  if (letters === "") return sql`false`;
  const name = sql(column);
  // Most names are ASCII, which has no accents to take off: a search reads every name, so this halves its time.
  return sql`strpos(lower(case when octet_length(${name}) = char_length(${name}) then ${name}
    else regexp_replace(normalize(${name}, NFD), '[\\u0300-\\u036f]', '', 'g') end), ${letters}) > 0`;
}

function phoneBegins(sql: Sql, text: string) {
  if (!/^[+\d\s().-]+$/.test(text)) return sql`false`;
  const digits = text.replace(/\D/g, "");
  if (digits === "") return sql`false`;
  const national = text.startsWith("+")
    ? sql`false`
    : sql`starts_with(u.phone, ${`+${getCountryCallingCode(DEFAULT_REGION)}${digits}`})`;
  return sql`(starts_with(u.phone, ${`+${digits}`}) or ${national})`;
}

/** The condition that a user `u` is what somebody types in search of it: a part of a name, or the start of an id. */
export function searchCondition(sql: Sql, typed: string) {
  const text = typed.trim();
  const nit = bareNit(text);
  const nitBegins = /^[A-Z0-9]+$/.test(nit) ? sql`starts_with(u.nit, ${nit})` : sql`false`;
  const letters = plainLetters(text);
  return sql`(${nameHolds(sql, "u.name", letters)} or ${nameHolds(sql, "u.business_name", letters)}
    or ${nitBegins} or ${phoneBegins(sql, text)})`;
}
