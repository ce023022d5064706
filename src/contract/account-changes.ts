import * as v from "valibot";
import { Id, Instant } from "./fields.ts";
import { operation } from "./operation.ts";

/** A change that guards the account: of devices, limits, grants, or a freeze. */
const AccountChange = v.object({
  id: Id,
  kind: v.picklist([
    "device_invited",
    "device_added",
    "device_removed",
    "limits_changed",
    "grant_given",
    "grant_ended",
    "frozen",
    "unfrozen",
  ]),
  at: Instant,
  /** This session made it. */
  here: v.boolean(),
});
/** A change that guards the account, as the person is shown it. */
export type AccountChange = v.InferOutput<typeof AccountChange>;

export const myAccountChanges = operation({
  tag: "People",
  access: "person",
  name: "myAccountChanges",
  method: "GET",
  path: "/v1/me/account-changes",
  summary: "The last twenty changes of devices, limits and grants, and freezes, latest first",
  description: "Each is told to the person's other browsers by push as it is made, without names or amounts.",
  answer: v.array(AccountChange),
  status: 200,
  writes: false,
  errors: [],
});
