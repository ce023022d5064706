import * as v from "valibot";
import { Id, Instant, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { Grant } from "./broker-answers.ts";
import { Proof, refusedProofs } from "./passkeys.ts";

const person = { tag: "Grants", access: "person" } as const;

export const grantRequest = operation({
  ...person,
  name: "grantRequest",
  method: "GET",
  path: "/v1/me/grants/request",
  summary: "Who asks to see one's quota, before one decides",
  description: "`return-to` must be on an origin that the merchant listed; the answer has it only then.",
  query: v.strictObject({ merchant: Id, "return-to": v.optional(text(2048)) }),
  answer: v.object({
    merchant_id: Id,
    merchant: v.string(),
    return_to: v.optional(v.string()),
    /** The merchant's origins, so that a person sees whose pages will show the quota. */
    origins: v.array(v.string()),
    grant: v.nullable(Grant),
  }),
  status: 200,
  writes: false,
  errors: ["merchant_not_found"],
});

export const myGrants = operation({
  ...person,
  name: "myGrants",
  method: "GET",
  path: "/v1/me/grants",
  summary: "Who may show one's quota, newest first",
  answer: v.array(Grant),
  status: 200,
  writes: false,
  errors: [],
});

export const createGrant = operation({
  ...person,
  name: "createGrant",
  method: "POST",
  path: "/v1/me/grants",
  summary: "Let a merchant show one's quota, status, score and last movements on its pages",
  description:
    "Takes a `proof` for `grant`; without it the answer is `proof_needed`. A grant lapses after 90 days. Asking " +
    "again gives the same grant for another 90, with a new `code` that takes the place of the one before. The code " +
    "is what the browser brings back to the merchant: its backend starts a session with it, once, and learns the " +
    "grant's id.",
  body: v.strictObject({ merchant_id: Id, proof: v.optional(Proof) }),
  answer: v.object({ ...Grant.entries, code: v.string(), code_expires_at: Instant }),
  status: 201,
  writes: true,
  errors: ["merchant_not_found", "proof_needed", ...refusedProofs, "device_too_new"],
});

export const revokeGrant = operation({
  ...person,
  name: "revokeGrant",
  method: "POST",
  path: "/v1/me/grants/:id/revoke",
  summary: "Take a grant back: sessions that came of it end at once",
  params: v.strictObject({ id: Id }),
  answer: v.object({ revoked: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_found"],
});
