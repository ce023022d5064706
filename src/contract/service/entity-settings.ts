import * as v from "valibot";
import { Amount, Id, Sum } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { UserStatus } from "../shared/states.ts";

/** The rule for other entities that assign quota to an entity's users and take it back. */
const ForeignLenders = v.picklist(["none", "principal", "owed"]);

/** Which other entities may assign quota to an entity's users. */
const Lenders = v.union(
  [
    v.literal("all"),
    v.pipe(
      v.array(Id),
      v.maxLength(100, "must be at most 100 ids"),
      v.check((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, "must name each entity once"),
    ),
  ],
  "must be all, or a list of ids of entities",
);

/**
 * The settings of an entity for the users that it created: which of them may pay and how much, and which other entities
 * may assign quota to them and take it back.
 */
export const EntitySettings = v.object({
  blocking_statuses: v.array(UserStatus),
  payment_limit: v.nullable(Sum),
  daily_limit: v.nullable(Sum),
  transfer_limit: v.nullable(Sum),
  lenders: Lenders,
  foreign_lenders: ForeignLenders,
});
export type EntitySettings = v.InferOutput<typeof EntitySettings>;

export const entitySettings = operation({
  name: "entitySettings",
  method: "GET",
  path: "/entity-settings",
  tag: "Entity",
  summary: "Which users of the calling entity may pay, and how much",
  description:
    "Extension. Until the entity sets them nobody is kept from paying, there are no limits, and no other entity may " +
    "assign quota to its users (`lenders` is empty).",
  access: "bearer",
  scope: "read",
  answer: EntitySettings,
  status: 200,
  writes: false,
  errors: [],
});

export const putEntitySettings = operation({
  name: "putEntitySettings",
  method: "PUT",
  path: "/entity-settings",
  tag: "Entity",
  summary: "Set which users of the calling entity may pay, and how much",
  description:
    "Extension. They hold for every payer that the calling entity created, from the next posting on; what is held by " +
    "then stays held. `blocking_statuses`: users of these statuses are rejected as payers, also of ledger transfers " +
    "(`payer_blocked`). `payment_limit` is for one payment, `daily_limit` for all that a user sends in payments on a " +
    "business day (`limit_exceeded`): a hold counts in full when it is made, and neither a release, a smaller " +
    "settlement nor a refund gives anything back to the day. `transfer_limit` is for one ledger transfer; without it " +
    "(at first) the balance alone decides. The creator of the payer is answered `exceeded_limit`, which says which " +
    "limit it was, what is left of it, and until when. `lenders` are the " +
    "entities that may assign quota to your users: a list of their ids (empty at first), or `all`. " +
    "`foreign_lenders` says what such an entity may take back from it: `principal` (at first), never more than it " +
    "assigned, its interest being paid in cash; or `owed`, interest and recoveries of what it wrote off too: for " +
    "lenders whose terms you trust. With `none` nobody among `lenders` may assign more; what was assigned may be " +
    "taken back as with `principal`. A field that is left out stays as it is; null takes the limit away. PUT is " +
    "the same once or twice, so it takes no Idempotency-Key.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({
    blocking_statuses: v.optional(
      v.pipe(
        v.array(UserStatus),
        v.check((statuses) => new Set(statuses).size === statuses.length, "must name each status once"),
      ),
    ),
    payment_limit: v.optional(v.nullable(Amount)),
    daily_limit: v.optional(v.nullable(Amount)),
    transfer_limit: v.optional(v.nullable(Amount)),
    lenders: v.optional(Lenders),
    foreign_lenders: v.optional(ForeignLenders),
  }),
  answer: EntitySettings,
  status: 200,
  writes: true,
  errors: [],
});
