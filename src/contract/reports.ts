import * as v from "valibot";
import { AnswerObject, DateInput, Id, text } from "./fields.ts";
import { operation } from "./operation.ts";

const period = { "from-date": v.optional(DateInput), "to-date": v.optional(DateInput) };

const report = {
  method: "GET",
  tag: "Reports",
  access: "bearer",
  answer: AnswerObject,
  status: 200,
  writes: false,
  errors: ["not_implemented", "entity_not_yours", "period_too_long"],
} as const;

export const getTransactionStatistics = operation({
  ...report,
  name: "getTransactionStatistics",
  path: "/get-transaction-statistics",
  summary: "Statistics of an entity's transactions",
  query: v.strictObject({ uid: Id, ...period }),
});

export const getHarvestStatistics = operation({
  ...report,
  name: "getHarvestStatistics",
  path: "/get-harvest-statistics",
  summary: "Interest paid relative to interest accrued",
  query: v.strictObject({ uid: Id, ...period }),
});

export const getClientStatistics = operation({
  ...report,
  name: "getClientStatistics",
  path: "/get-client-statistics",
  summary: "Statistics of an entity's clients, or of one client",
  query: v.strictObject({ uid: Id, ...period }),
});

export const getAccountingReport = operation({
  ...report,
  name: "getAccountingReport",
  path: "/get-accounting-report",
  summary: "The accounting report of a month",
  query: v.strictObject({
    year: v.pipe(v.string(), v.regex(/^\d{4}$/, "must be a year of four digits")),
    month: v.pipe(v.string(), v.regex(/^(?:0?[1-9]|1[0-2])$/, "must be a month from 1 to 12")),
    "loan-product": v.optional(text(40)),
  }),
  errors: ["not_implemented"],
});
