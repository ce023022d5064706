import * as v from "valibot";
import { Id, Instant } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";

/** The kinds of security changes of an account: of devices, sessions, limits, grants, or a freeze. */
export const accountChangeKinds = [
  "device_invited",
  "device_added",
  "device_removed",
  "device_renamed",
  "session_ended",
  "limits_changed",
  "grant_given",
  "grant_ended",
  "frozen",
  "unfrozen",
] as const;

/** A security change of an account. */
const AccountChange = v.object({
  id: Id,
  kind: v.picklist(accountChangeKinds),
  at: Instant,
  /** This session made it. */
  here: v.boolean(),
});
/** A security change of an account, as the person is shown it. */
export type AccountChange = v.InferOutput<typeof AccountChange>;

export const myAccountChanges = operation({
  tag: "People",
  access: "person",
  name: "myAccountChanges",
  method: "GET",
  path: "/v1/me/account-changes",
  summary: "The last twenty changes of each kind: of devices, sessions, limits, grants and freezes, latest first",
  description:
    "Each is told to the person's other browsers by push as it is made, without names or amounts, also to one that " +
    "it signs out. However many there are of one kind, they hide none of another.",
  answer: v.array(AccountChange),
  status: 200,
  writes: false,
  errors: [],
});
