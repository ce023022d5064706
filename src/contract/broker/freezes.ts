import * as v from "valibot";
import { Id, Instant } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";

const WHAT_IT_DOES =
  "All sign-in sessions end and every passkey is suspended: nothing is paid or read in the person's name, at tills " +
  "and on pages neither. Money in and repayments go on. The user is blocked at the service too, at once or as soon " +
  "as it can be reached. Freezing twice is the same as once.";

export const freezeMe = operation({
  tag: "People",
  access: "person",
  name: "freezeMe",
  method: "POST",
  path: "/v1/me/freeze",
  summary: "Freeze one's own account, from any device; only the provider lifts that",
  description: WHAT_IT_DOES,
  answer: v.object({ frozen: v.literal(true) }),
  status: 200,
  writes: true,
  errors: [],
});

const operator = { tag: "Freezes", access: "operator" } as const;
const ofUser = { params: v.strictObject({ user_id: Id }) };

/** A freeze in force of a person's account: since when, by whom, and the state of the user's block at the service. */
export const Freeze = v.object({
  user_id: Id,
  /** As the app greets the user; absent for one who never signed in here. */
  name: v.optional(v.string()),
  frozen_at: Instant,
  frozen_by: v.picklist(["person", "operator", "command line"]),
  /**
   * The user's block at the service: `pending` until it is made, `made` by the freeze, `found` where the entity had
   * blocked the user before, which lifting the freeze leaves as it is.
   */
  block: v.picklist(["pending", "made", "found"]),
});
export type Freeze = v.InferOutput<typeof Freeze>;

export const frozenPeople = operation({
  ...operator,
  name: "frozenPeople",
  method: "GET",
  path: "/v1/operator/people/frozen",
  summary: "Whose account is frozen, latest first",
  answer: v.array(Freeze),
  status: 200,
  writes: false,
  errors: [],
});

export const freezePerson = operation({
  ...operator,
  ...ofUser,
  name: "freezePerson",
  method: "POST",
  path: "/v1/operator/people/:user_id/freeze",
  summary: "Freeze a person's account",
  description: `For clerks and admins. ${WHAT_IT_DOES}`,
  answer: Freeze,
  status: 200,
  writes: true,
  errors: ["not_allowed", "user_not_found", "upstream_failed"],
});

export const unfreezePerson = operation({
  ...operator,
  ...ofUser,
  name: "unfreezePerson",
  method: "POST",
  path: "/v1/operator/people/:user_id/unfreeze",
  summary: "Lift a person's freeze",
  description:
    "For admins. Passkeys work again and everybody signs in anew; a block that the entity itself had made stays. " +
    "Where a device was stolen, have two operators enrol a new one first, with `retire_devices`. Lifting twice is " +
    "the same as once.",
  answer: v.object({ user_id: Id, frozen: v.literal(false) }),
  status: 200,
  writes: true,
  errors: ["not_allowed", "not_found"],
});
