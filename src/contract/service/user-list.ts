import * as v from "valibot";
import { Instant, syncErrors, syncFields, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { UserStatus } from "../shared/states.ts";
import { User } from "./users.ts";

/** A user in a list: without the payments and the image that get-user has. */
export const ListedUser = v.object({
  ...v.omit(User, ["history", "image", "apn_token"]).entries,
  created_at: Instant,
});
export type ListedUser = v.InferOutput<typeof ListedUser>;

export const users = operation({
  name: "users",
  method: "GET",
  path: "/users",
  tag: "Users",
  summary: "The users that the calling entity created",
  description:
    "Extension. Newest first. Each as get-user answers it, but without `history` and `image`, which would make a " +
    "page many megabytes. `q` finds users whose name or business name holds it, in any case and accents, or whose " +
    "nit or phone begins with it (a phone with or without its country code); `status` is the one that the caller " +
    "set. `changed-since` gives users that were created or whose record was changed since, oldest change first, each " +
    "as it is now; filters look at that too. A balance that moved, and the status that a credit suggests, are no " +
    "change of the record: entries and credits tell of those.",
  access: "bearer",
  scope: "read",
  query: v.strictObject({ q: v.optional(text(100)), status: v.optional(UserStatus), ...syncFields }),
  answer: v.array(ListedUser),
  status: 200,
  writes: false,
  errors: syncErrors,
});
