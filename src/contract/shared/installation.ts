import * as v from "valibot";
import { operation } from "./operation.ts";

/** The meaning of a service's amounts and days: its currency, decimals and time zone. */
export const InstallationAnswer = v.object({
  currency: v.string(),
  decimals: v.number(),
  time_zone: v.string(),
});
export type InstallationAnswer = v.InferOutput<typeof InstallationAnswer>;

/** The document by which a broker finds out whether it and its service are one installation. */
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
