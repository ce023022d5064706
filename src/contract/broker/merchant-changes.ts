import * as v from "valibot";
import { AnswerObject, Id, Instant } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { Credential, refusedProofs } from "./passkeys.ts";

const operator = { tag: "Merchants", access: "operator" } as const;
const person = { tag: "Grants", access: "person" } as const;
const byId = { params: v.strictObject({ id: Id }) };

/** A server key that a change gives powers, by the first eight hexadecimal characters of its SHA-256. */
const ChangeKey = v.object({
  id: v.string(),
  created_at: Instant,
  /** The operator who made it; null: the command line, or an earlier version. */
  made_by: v.nullable(Id),
});
/** A server key that a change gives powers. */
export type ChangeKey = v.InferOutput<typeof ChangeKey>;

/**
 * New powers that one admin requests for a merchant. They take effect when another admin has agreed and, for selling
 * top-ups, the user whose quota pays for them, where that user has a passkey.
 */
export const MerchantChange = v.object({
  id: Id,
  merchant_id: Id,
  merchant: v.string(),
  /** The user in whose name the merchant sells. */
  user_id: Id,
  /** It is to show any user's quota. */
  first_party: v.boolean(),
  /** Its tills are to sell top-ups, which that user's own quota pays for. */
  sells_top_ups: v.boolean(),
  /** Its backend is to give back what its own sessions were paid. */
  refunds: v.boolean(),
  /** The server keys that gain it, and no others; where it is none of the three, what the merchant may do already. */
  server_keys: v.array(ChangeKey),
  /** `waiting` for somebody, `done`, or `over` (withdrawn, refused by the user, replaced, or a week old). */
  state: v.picklist(["waiting", "done", "over"]),
  /** The operator who asked. */
  made_by: Id,
  /** Another admin has agreed. */
  agreed: v.boolean(),
  /** The user's agreement, by passkey: only sales take it, and only where there is a passkey. */
  user: v.picklist(["not_needed", "waiting", "agreed"]),
  created_at: Instant,
  expires_at: Instant,
});
export type MerchantChange = v.InferOutput<typeof MerchantChange>;

export const merchantChanges = operation({
  ...operator,
  name: "merchantChanges",
  method: "GET",
  path: "/v1/operator/merchant-changes",
  summary: "What waits for a second admin or for a user, newest first, and what became of it in the last week",
  answer: v.array(MerchantChange),
  status: 200,
  writes: false,
  errors: [],
});

export const agreeToMerchantChange = operation({
  ...operator,
  ...byId,
  name: "agreeToMerchantChange",
  method: "POST",
  path: "/v1/operator/merchant-changes/:id/agree",
  summary: "Agree, as a second admin, to what another asked for a merchant",
  description:
    "It is done at once, or as soon as the user in whose name the merchant is to sell has agreed in the app. For an " +
    "operator with the role admin other than the one who asked. Compare `server_keys` with those that the merchant's " +
    "backend uses: whoever holds one of them has what is asked for.",
  answer: MerchantChange,
  status: 200,
  writes: true,
  errors: ["not_found", "not_allowed"],
});

export const withdrawMerchantChange = operation({
  ...operator,
  ...byId,
  name: "withdrawMerchantChange",
  method: "POST",
  path: "/v1/operator/merchant-changes/:id/withdraw",
  summary: "End what was asked for a merchant before it is done",
  description: "Needs the role admin.",
  answer: MerchantChange,
  status: 200,
  writes: true,
  errors: ["not_found", "not_allowed"],
});

/** A merchant that is to sell top-ups with the person's quota. */
const SellingRequest = v.object({
  id: Id,
  merchant_id: Id,
  merchant: v.string(),
  /** The merchant's origins, so that a person sees whose pages will sell. */
  origins: v.array(v.string()),
  /** The server keys that start its tills. */
  server_keys: v.array(ChangeKey),
  created_at: Instant,
  expires_at: Instant,
  /** The browser's request to the passkey (`PublicKeyCredentialRequestOptionsJSON`). */
  options: AnswerObject,
});
/** A request for a person's agreement that a merchant's tills sell top-ups paid from that person's quota. */
export type SellingRequest = v.InferOutput<typeof SellingRequest>;

export const mySellingRequests = operation({
  ...person,
  name: "mySellingRequests",
  method: "GET",
  path: "/v1/me/selling-requests",
  summary: "Merchants that are to sell top-ups with the person's quota, once the person agrees",
  answer: v.array(SellingRequest),
  status: 200,
  writes: false,
  errors: [],
});

export const agreeToSelling = operation({
  ...person,
  ...byId,
  name: "agreeToSelling",
  method: "POST",
  path: "/v1/me/selling-requests/:id/agree",
  summary: "Let a merchant sell top-ups with one's quota: with a passkey that signs exactly this",
  body: v.strictObject({ credential: Credential }),
  answer: v.object({ agreed: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_found", ...refusedProofs, "device_too_new"],
});

export const refuseSelling = operation({
  ...person,
  ...byId,
  name: "refuseSelling",
  method: "POST",
  path: "/v1/me/selling-requests/:id/refuse",
  summary: "Refuse that a merchant sells top-ups with one's quota",
  answer: v.object({ refused: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_found"],
});
