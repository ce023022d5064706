import * as v from "valibot";
import { Amount, Id, Instant, pageFields, Sum, text } from "../shared/fields.ts";
import { Name } from "../shared/names.ts";
import { operation } from "../shared/operation.ts";
import { MerchantChange } from "./merchant-changes.ts";
import { MerchantOrigin } from "./merchant-origin.ts";

/** Live keys of one kind at most: the one that is used and the one that follows it. */
const MOST_LIVE_KEYS = 2;
const MOST_ORIGINS = 50;

const KeyKind = v.picklist(["server", "publishable", "webhook"]);
const KeyId = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/, "must be the id of a key, such as 9f86d081"));
const WebhookUrl = v.pipe(text(2048), v.regex(/^https?:\/\//, "must be an http or https URL"));

/** A merchant without any secret: `keys` lists the live ones, oldest first. */
export const Merchant = v.object({
  id: Id,
  name: v.string(),
  /** The merchant's user at the service: the payee of its codes, the payer of its top-ups. */
  user_id: Id,
  origins: v.array(v.string()),
  /** Most that a page may ask for with the publishable key alone; null: nothing. */
  open_amount_limit: v.nullable(Sum),
  /** True if it may show any user's quota: for the entity's own pages only. */
  first_party: v.boolean(),
  /** True if its tills may sell top-ups, which its user's own quota pays for. */
  sells_top_ups: v.boolean(),
  /** True if its server key may give back what its own sessions were paid. */
  refunds: v.boolean(),
  /** Most that its server keys give back in one business day; null: as much as it was paid. */
  refund_limit: v.nullable(Sum),
  webhook_url: v.nullable(v.string()),
  created_at: Instant,
  disabled_at: v.nullable(Instant),
  keys: v.array(v.object({ id: v.string(), kind: KeyKind, created_at: Instant })),
  /** Events that wait to be delivered, and the error of the latest attempt that failed. */
  webhook_waiting: v.number(),
  webhook_failure: v.nullable(v.string()),
});
export type Merchant = v.InferOutput<typeof Merchant>;

/** A merchant with the keys that were made for it by this call: shown once. */
export const MerchantWithKeys = v.object({
  ...Merchant.entries,
  /** The part of the call that waits until a second admin has agreed. */
  change: v.nullable(MerchantChange),
  server_key: v.nullable(v.string()),
  publishable_key: v.nullable(v.string()),
  webhook_secret: v.nullable(v.string()),
});
export type MerchantWithKeys = v.InferOutput<typeof MerchantWithKeys>;

const operator = { tag: "Merchants", access: "operator" } as const;
const byId = { params: v.strictObject({ id: Id }) };
const settings = {
  origins: v.optional(v.pipe(v.array(MerchantOrigin), v.maxLength(MOST_ORIGINS, "must have at most 50 origins"))),
  open_amount_limit: v.optional(v.nullable(Amount)),
  first_party: v.optional(v.boolean()),
  sells_top_ups: v.optional(v.boolean()),
  refunds: v.optional(v.boolean()),
  refund_limit: v.optional(v.nullable(Amount)),
  webhook_url: v.optional(v.nullable(WebhookUrl)),
};

export const merchants = operation({
  ...operator,
  name: "merchants",
  method: "GET",
  path: "/v1/operator/merchants",
  summary: "The entity's merchants, newest first, disabled ones too",
  query: v.strictObject(pageFields),
  answer: v.array(Merchant),
  status: 200,
  writes: false,
  errors: ["invalid_cursor"],
});

export const createMerchant = operation({
  ...operator,
  name: "createMerchant",
  method: "POST",
  path: "/v1/operator/merchants",
  summary: "Make a merchant of a user, with its first keys",
  description:
    "The keys are in this answer alone: what is kept is their hash. `sells_top_ups` lets a holder of the server key " +
    "spend the quota of `user_id`: only for a user that is the merchant's own. `refunds` lets it give back what the " +
    "merchant's sessions were paid, at most `refund_limit` in a business day. These two and `first_party` take a " +
    "second admin: merchant and server key are made without them, and `change` says what waits for whom. Where there " +
    "is no second admin, nothing is made. A user of another entity is a 404, as one that is not there. Needs the " +
    "role admin.",
  body: v.strictObject({ name: Name, user_id: Id, ...settings }),
  answer: MerchantWithKeys,
  status: 201,
  writes: true,
  errors: ["not_allowed", "idempotency_key_reused", "user_not_found", "upstream_failed"],
});

export const changeMerchant = operation({
  ...operator,
  ...byId,
  name: "changeMerchant",
  method: "PUT",
  path: "/v1/operator/merchants/:id",
  summary: "Change what a merchant may do; what is left out stays",
  description:
    "`origins` replaces the whole list: tills and quota pages of an origin that is gone are ended for good, and so " +
    "are those that show what `first_party` or sell what `sells_top_ups` allowed until now; pages that show a code " +
    "are refused while their origin is not listed. The first `webhook_url` brings the webhook's secret. To allow " +
    "`first_party`, `sells_top_ups` or `refunds` takes a second admin: all else is done at once, and `change` says " +
    "what waits for whom, and which server keys gain it. A key that is made while it waits does not: rotate it " +
    "afterwards. Refunds that were not carried out when `refunds` is taken away are not carried out any more. Where " +
    "there is no second admin, nothing is changed. Needs the role admin.",
  body: v.strictObject({ name: v.optional(Name), ...settings }),
  answer: MerchantWithKeys,
  status: 200,
  writes: true,
  errors: ["not_allowed", "merchant_not_found", "merchant_disabled"],
});

export const rotateMerchantKey = operation({
  ...operator,
  ...byId,
  name: "rotateMerchantKey",
  method: "POST",
  path: "/v1/operator/merchants/:id/rotate",
  summary: "Give a merchant a new key, or end one",
  description:
    "Rotates without downtime in three steps: ask with `kind` alone, and two keys are live; use the new one " +
    "everywhere; ask with the old one's id in `retire` and `new_key: false`. With `new_key` (default true) the keys " +
    "in `retire` are replaced at once, as for one that became known. With a server key end all sessions of kind " +
    "`recharge` and `quota` that the merchant has, whichever key started them: its backend starts new ones. Sessions " +
    "of kind `pay` stay, for they move no money. A webhook with two secrets is signed with both. A new " +
    "server key of a merchant that has powers has none of them until a second admin has agreed to " +
    "`change`; where there is none, it is made by the command alone. Needs the role admin.",
  body: v.pipe(
    v.strictObject({
      kind: KeyKind,
      retire: v.optional(v.pipe(v.array(KeyId), v.maxLength(MOST_LIVE_KEYS, "must name at most two keys"))),
      new_key: v.optional(v.boolean()),
    }),
    v.check(
      ({ retire = [], new_key = true }) => new_key || retire.length > 0,
      "asks for nothing: leave new_key out, or name keys in retire",
    ),
  ),
  answer: MerchantWithKeys,
  status: 200,
  writes: true,
  errors: [
    "not_allowed",
    "idempotency_key_reused",
    "merchant_not_found",
    "merchant_disabled",
    "merchant_key_not_found",
    "last_merchant_key",
    "merchant_key_limit",
  ],
});

export const disableMerchant = operation({
  ...operator,
  ...byId,
  name: "disableMerchant",
  method: "POST",
  path: "/v1/operator/merchants/:id/disable",
  summary: "Disable a merchant for good",
  description:
    "Its keys and the sessions of its pages are refused at once. Codes that were shown can still be paid, and its " +
    "webhook is still told of what is paid, refunded or expired: take `webhook_url` away first where it must not be. " +
    "Disabling it again answers the first `disabled_at`. Needs the role admin.",
  answer: Merchant,
  status: 200,
  writes: true,
  errors: ["not_allowed", "idempotency_key_reused", "merchant_not_found"],
});
