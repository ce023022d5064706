import * as v from "valibot";
import { AnswerObject, FreeObject, Id, Sum, text } from "./fields.ts";
import { operation } from "./operation.ts";

/** How a user stands with the entity that created it; set by the caller. */
export const UserStatus = v.picklist(["active", "arrear", "default"]);

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

/** A user as the service answers it. Fields that the caller may not see are null (interface: Who may do what). */
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
  history: v.array(AnswerObject),
  payment_data: AnswerObject,
  apn_token: v.optional(v.string()),
});
export type User = v.InferOutput<typeof User>;

export const user = operation({
  name: "user",
  method: "GET",
  path: "/user",
  tag: "Users",
  summary: "Look up a user by id, nit or phone",
  description: "Exactly one of the three keys. `quota` is the posted balance, `quota_available` what can be spent.",
  access: "bearer",
  query: v.pipe(
    v.strictObject({ id: v.optional(Id), nit: v.optional(Nit), phone: v.optional(text(40)) }),
    v.check(
      (query) => Object.values(query).filter((value) => value !== undefined).length === 1,
      "send exactly one of id, nit and phone",
    ),
  ),
  answer: User,
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
  description: "`nit` and `phone` are unique in the ecosystem. A `quota` above zero opens a credit of type `default`.",
  access: "bearer",
  body: v.strictObject({
    name: text(200),
    nit: Nit,
    phone: text(40),
    address: v.optional(text(300)),
    business_name: v.optional(text(200)),
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

export const updateUser = operation({
  name: "updateUser",
  method: "POST",
  path: "/update-user",
  tag: "Users",
  summary: "Change fields of a user",
  access: "bearer",
  body: v.strictObject({
    id: Id,
    address: v.optional(text(300)),
    bussines_name: v.optional(text(200)),
    email: v.optional(Email),
    history: v.optional(v.pipe(v.array(FreeObject), v.maxLength(50, "must hold at most 50 records"))),
    image: v.optional(Image),
    name: v.optional(text(200)),
    nit: v.optional(Nit),
    payment_data: v.optional(FreeObject),
    phone: v.optional(text(40)),
    score: v.optional(Score),
    status: v.optional(UserStatus),
  }),
  misplaced: {
    quota: "is changed by add-quota and discharge-quota",
    business_name: "is spelled bussines_name in update-user",
  },
  answer: User,
  status: 200,
  writes: true,
  errors: ["not_implemented", "user_not_found", "user_not_yours", "duplicate_user"],
});
