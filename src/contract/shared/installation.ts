import * as v from "valibot";
import { operation } from "./operation.ts";

/**
 * Answer of {@link installation}: the currency, decimals and time zone that give a service's amounts and days their
 * meaning.
 */
export const InstallationAnswer = v.object({
  currency: v.string(),
  decimals: v.number(),
  time_zone: v.string(),
});
export type InstallationAnswer = v.InferOutput<typeof InstallationAnswer>;

/**
 * Operation by which the service publishes its currency, decimals and time zone; a broker reads it and compares them
 * with its own, which must be the same.
 */
export const installation = operation({
  name: "installation",
  method: "GET",
  path: "/.well-known/cupo-installation.json",
  tag: "Entity",
  summary: "Currency, decimals and business time zone of this deployment",
  access: "none",
  answer: InstallationAnswer,
  status: 200,
  writes: false,
  errors: [],
});
