import { serviceContract } from "../../../../src/contract/service/service.ts";
import { SCOPES, type Scope } from "../../../../src/contract/shared/scopes.ts";
import { ownPolicy } from "./own-policy.ts";
import { policy } from "./policy.ts";
import type { UpstreamName } from "./upstream-calls.ts";

const granted = [
  ...Object.values(policy).flatMap((operations) => Object.values<object>(operations)),
  ...Object.values(ownPolicy),
];
const needed = new Set(
  granted.flatMap((grants) => Object.keys(grants) as UpstreamName[]).map((name) => serviceContract[name].scope),
);

/** The scopes of the broker's tokens: those of the operations that its policy grants, and no more. */
export const POLICY_SCOPES: readonly Scope[] = Object.freeze(SCOPES.filter((scope) => needed.has(scope)));

/**
 * The scopes that the broker's API client may ask for: {@link POLICY_SCOPES}, and `administration`, for which it asks
 * only to register its webhook.
 */
export const BROKER_SCOPES: readonly Scope[] = Object.freeze([...POLICY_SCOPES, "administration"]);
