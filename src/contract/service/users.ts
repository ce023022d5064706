import * as v from "valibot";
import { AnswerObject, FreeObject, Id, Sum, text } from "../shared/fields.ts";
import { Name } from "../shared/names.ts";
import { operation } from "../shared/operation.ts";
import { UserStatus } from "../shared/states.ts";

const Score = v.pipe(
  v.number(),
  v.integer("must be a whole number"),
  v.minValue(0, "must be at least 0"),
  v.maxValue(1000, "must be at most 1000"),
);

/** 128 KiB of image as base64, and the data URL's own prefix. */
const IMAGE_MAX_LENGTH = Math.ceil((131_072 * 4) / 3) + 64;

const Image = v.pipe(
  v.string(),
  v.maxLength(IMAGE_MAX_LENGTH, "must be at most 128 KiB"),
  v.regex(
    /^(?:data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}|https:\/\/[^\s\p{C}]{1,2000})$/u,
    "must be a data URL of a PNG, JPEG or WebP image, or an https address",
  ),
  v.check((value) => !value.startsWith("https:") || URL.canParse(value), "must be an address that can be read"),
);

const Nit = v.pipe(
  text(40),
  v.check((value) => {
    const bare = value.replace(/[.-]/g, "");
    return /^[A-Za-z0-9.-]+$/.test(value) && bare.length >= 1 && bare.length <= 20;
  }, "must be at most 20 letters and digits; dots and hyphens are left out"),
);

const Email = v.pipe(text(254), v.email("must be an e-mail address"));

/** A starting balance: zero, or an amount that opens a credit of type `default`. */
const OpeningQuota = v.pipe(v.number(), v.minValue(0, "must be zero or more"));

/** A user in the answer to its creator. */
export const User = v.object({
  id: Id,
  name: v.string(),
  business_name: v.nullable(v.string()),
  bussines_name: v.optional(v.nullable(v.string())),
  nit: v.string(),
  phone: v.string(),
  email: v.nullable(v.string()),
  address: v.nullable(v.string()),
  image: v.nullable(v.string()),
  quota: v.nullable(Sum),
  quota_available: v.nullable(Sum),
  score: v.nullable(v.number()),
  status: UserStatus,
  suggested_status: v.optional(UserStatus),
  history: v.array(AnswerObject),
  payment_data: AnswerObject,
  apn_token: v.optional(v.string()),
  blocked: v.optional(v.literal(true)),
});
export type User = v.InferOutput<typeof User>;

/**
 * A user in the answer to a change of it. Where the token lacks the scope `read`, the fields that it may not know are
 * null, empty or left out.
 */
export const ChangedUser = v.object({
  ...v.omit(User, ["apn_token"]).entries,
  nit: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  payment_data: v.nullable(AnswerObject),
});
export type ChangedUser = v.InferOutput<typeof ChangedUser>;

/** A user in the answer to any entity: another than its creator gets null for all that only the creator may know. */
export const FoundUser = v.object({ ...ChangedUser.entries, yours: v.boolean() });
export type FoundUser = v.InferOutput<typeof FoundUser>;

export const user = operation({
  name: "user",
  method: "GET",
  path: "/user",
  tag: "Users",
  summary: "Look up a user by id, nit or phone",
  description:
    "Exactly one of the three keys. `yours` says whether the caller's entity created the user, and so may debit it. " +
    "`quota` is the posted balance, `quota_available` what can be spent. `history` is the latest 50 payments that " +
    "the caller may see, sent and received, newest first; the records that the creator kept with update-user come " +
    "after them, each with `source: imported`. `suggested_status` is what the days past due of the worst open credit " +
    "that the caller gave the user suggest (`active` without any), and `default` from the first credit on that the " +
    "caller wrote off; `status` is what the creator set, and never changes by itself. For `Prefer: return=minimal` " +
    "`history` is empty and `suggested_status` left out. Another entity is told `id`, " +
    "`name`, `business_name` and `status`, and in `history` the payments between its own users and this one; " +
    "everything else is null, or absent where the creator is not always told it either, also while it holds a credit " +
    "of the user: GET /credits tells of that. Its look-ups, those that find nobody included, are recorded, and " +
    "limited for each entity, whichever of its API clients makes them: past the limit 429, with `Retry-After`. A " +
    "look-up by nit or phone, which can be guessed, counts as ten by id.",
  access: "bearer",
  scope: "read",
  query: v.pipe(
    v.strictObject({ id: v.optional(Id), nit: v.optional(Nit), phone: v.optional(text(40)) }),
    v.check(
      (query) => Object.values(query).filter((value) => value !== undefined).length === 1,
      "send exactly one of id, nit and phone",
    ),
  ),
  answer: FoundUser,
  status: 200,
  writes: false,
  errors: ["user_not_found"],
});

export const createUser = operation({
  name: "createUser",
  method: "POST",
  path: "/create-user",
  tag: "Users",
  summary: "Register a person or a business",
  description:
    "Needs `name`, `nit` and `phone`; `nit` and `phone` are unique in the ecosystem, in whatever spelling: a 409 " +
    "`duplicate_user`, unless both are your own users', is recorded and counts as a look-up by nit (see get-user), " +
    "and past that limit it is 429. The caller's entity is the user's creator: it alone may debit, change and block " +
    "it. `quota` is 0 when absent; above zero it opens a credit of type `default` without a due date, for which the " +
    "token needs the scope `quota` too. `status` is `active` when absent, and the caller's own: the service never " +
    "changes it. `apn_token` addresses the user's app for notifications and is in this answer alone.",
  access: "bearer",
  scope: "users",
  body: v.strictObject({
    name: Name,
    nit: Nit,
    phone: text(40),
    address: v.optional(text(300)),
    business_name: v.optional(Name),
    email: v.optional(Email),
    image: v.optional(Image),
    quota: v.optional(OpeningQuota),
    score: v.optional(Score),
    status: v.optional(UserStatus),
    payment_data: v.optional(FreeObject),
  }),
  responseOnly: ["id", "history", "apn_token"],
  misplaced: { bussines_name: "is spelled business_name in create-user" },
  answer: User,
  status: 201,
  writes: true,
  errors: ["duplicate_user"],
});

/** The caller's own records beside the service's. */
const History = v.pipe(
  v.array(FreeObject),
  v.maxLength(50, "must hold at most 50 records"),
  v.check((records) => v.is(FreeObject, { records }), "must be at most 16 KiB of JSON"),
);

export const updateUser = operation({
  name: "updateUser",
  method: "POST",
  path: "/update-user",
  tag: "Users",
  summary: "Change fields of a user",
  description:
    "For the entity that created the user. Changes the fields that are sent, and only those; null empties `address`, " +
    "`bussines_name`, `email`, `image` and `score`. `nit` and `phone` stay unique in the ecosystem; one that none of " +
    "your users has is recorded and counts as a look-up by nit, whether it is another's or nobody's: see get-user. " +
    "`payment_data` is replaced as a whole. `history`: elements whose `id` is one of this user's transactions are " +
    "the service's own and ignored as unchanged; the others replace the caller's own records, which come after the " +
    "service's with `source: imported`, move no money and enter no report. `quota` is no field here: money goes " +
    "through add-quota and discharge-quota. Transactions keep the names of their moment. The answer is the whole " +
    "user, with both spellings of the business name; a token without the scope `read` is told `id`, names, `status` " +
    "and `blocked`, and everything else is null or empty.",
  access: "bearer",
  scope: "users",
  body: v.strictObject({
    id: Id,
    address: v.optional(v.nullable(text(300))),
    bussines_name: v.optional(v.nullable(Name)),
    email: v.optional(v.nullable(Email)),
    history: v.optional(History),
    image: v.optional(v.nullable(Image)),
    name: v.optional(Name),
    nit: v.optional(Nit),
    payment_data: v.optional(FreeObject),
    phone: v.optional(text(40)),
    score: v.optional(v.nullable(Score)),
    status: v.optional(UserStatus),
  }),
  responseOnly: ["apn_token", "quota_available"],
  misplaced: {
    quota: "is changed by add-quota and discharge-quota",
    business_name: "is spelled bussines_name in update-user",
    blocked: "is changed by block-user and unblock-user",
  },
  answer: ChangedUser,
  status: 200,
  writes: true,
  errors: ["user_not_found", "user_not_yours", "duplicate_user"],
});

const blocking = {
  method: "POST",
  tag: "Users",
  access: "bearer",
  scope: "users",
  body: v.strictObject({ id: Id }),
  answer: ChangedUser,
  status: 200,
  writes: true,
  errors: ["user_not_found", "user_not_yours"],
} as const;

export const blockUser = operation({
  ...blocking,
  name: "blockUser",
  path: "/block-user",
  summary: "Keep a user from paying",
  description:
    "Extension, for the entity that created the user. From the next posting on the user is rejected as payer of " +
    "payments and ledger transfers, reason `payer_blocked`, and discharge-quota pays it nothing out. It still " +
    "receives, repays and gives payments back. What is held of it already waits: it is not settled and does not " +
    "lapse until the user is unblocked, or until the hold is released (settle-transaction). Blocking twice is the " +
    "same as once. The answer is the user, `blocked: true`, as update-user answers it.",
});

export const unblockUser = operation({
  ...blocking,
  name: "unblockUser",
  path: "/unblock-user",
  summary: "Let a blocked user pay again",
  description:
    "Extension, for the entity that created the user. Unblocking twice is the same as once. A hold whose time had " +
    "ended meanwhile can be settled until its new `hold_expires_at`. A status among the entity's `blocking_statuses` " +
    "goes on keeping the user from paying.",
});
