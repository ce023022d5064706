import * as v from "valibot";
import { AnswerObject, FreeObject, Id, Instant } from "../shared/fields.ts";
import { name } from "../shared/names.ts";
import { operation } from "../shared/operation.ts";

/** The answer of a browser's authenticator: `RegistrationResponseJSON` or `AuthenticationResponseJSON` (WebAuthn 3). */
export const Credential = FreeObject;

/** The secret of an enrolment's link, from the part after `#`, which no server is sent by itself. */
const EnrolmentSecret = v.pipe(
  v.string(),
  v.regex(/^en_[\w-]{43}$/, "must be the secret of an enrolment's link"),
  v.metadata({ examples: [`en_${"A".repeat(43)}`] }),
);
const EnrolmentCode = v.pipe(
  v.string(),
  v.regex(/^\d{6}$/, "must be the six digits that you were told"),
  v.metadata({ examples: ["042195"] }),
);
const DeviceName = name(60);

const byPasskey = v.strictObject({ proof_id: Id, credential: Credential });
const byButton = v.strictObject({ demo: v.literal(true) });
/**
 * A proof of the person's presence and consent, for security changes: an assertion to the challenge of a proof that was
 * asked for, or the statement of a demo person without a passkey.
 */
export const Proof = v.union([byPasskey, byButton], "must have proof_id and credential, or demo: true");
export type Proof = v.InferOutput<typeof Proof>;

/** The purposes of a proof; each proof is valid for one alone. */
export const ProofPurpose = v.picklist([
  ...(["invite_device", "remove_device", "end_session"] as const),
  ...(["raise_limits", "lower_limits", "grant"] as const),
]);
export type ProofPurpose = v.InferOutput<typeof ProofPurpose>;

/** One passkey of a person; the app calls it a device. */
export const Device = v.object({
  id: Id,
  name: v.string(),
  created_at: Instant,
  last_used_at: v.nullable(Instant),
  /** A device that came by a re-enrolment reads, and pays only from then on; absent once it may. */
  may_pay_from: v.optional(Instant),
  /** The one of this session. */
  current: v.boolean(),
});
export type Device = v.InferOutput<typeof Device>;

/** One browser in which a person is signed in. */
export const SignInSession = v.object({
  id: Id,
  /** Such as `Chrome, Android`, as the browser called itself when it signed in. */
  browser: v.nullable(v.string()),
  /** The device that it signed in with; absent for the demo. */
  device: v.optional(v.string()),
  created_at: Instant,
  last_active_at: Instant,
  current: v.boolean(),
});
export type SignInSession = v.InferOutput<typeof SignInSession>;

const visitor = { tag: "Passkeys", access: "none", method: "POST", status: 200 } as const;
const person = { tag: "Passkeys", access: "person" } as const;
const byId = { params: v.strictObject({ id: Id }) };
const signedIn = v.object({ signed_in: v.literal(true) });
/** Error codes of a proof that is not accepted. */
export const refusedProofs = ["passkey_refused", "passkey_copied", "account_frozen"] as const;
const refusedLinks = ["enrolment_not_found", "enrolment_waiting", "enrolment_code_wrong"] as const;

export const enrolment = operation({
  ...visitor,
  name: "enrolment",
  path: "/v1/enrolments/look",
  summary: "Whom an enrolment's link is for, before it is used",
  description: "Nothing is consumed. The secret goes in the body, so that it stands in no log.",
  body: v.strictObject({ secret: EnrolmentSecret }),
  answer: v.object({
    name: v.string(),
    kind: v.picklist(["person", "operator"]),
    /** The person has a passkey already: the new device will read, but not pay for a while. */
    delayed: v.boolean(),
    /** A second operator has to agree first. */
    waiting: v.boolean(),
    tries_left: v.number(),
    expires_in: v.number(),
  }),
  writes: false,
  errors: ["enrolment_not_found"],
});

export const startEnrolment = operation({
  ...visitor,
  name: "startEnrolment",
  path: "/v1/enrolments/start",
  summary: "Show the code that was told separately, and get what the browser needs to make a passkey",
  description: "Five wrong codes end the link.",
  body: v.strictObject({ secret: EnrolmentSecret, code: EnrolmentCode }),
  answer: v.object({ options: AnswerObject }),
  writes: true,
  errors: [...refusedLinks, "not_allowed"],
});

export const finishEnrolment = operation({
  ...visitor,
  name: "finishEnrolment",
  path: "/v1/enrolments/finish",
  summary: "Keep the new passkey, use the link up and sign in",
  description: "The device of a frozen account is kept, and signs in once the provider lifts that.",
  body: v.strictObject({ secret: EnrolmentSecret, code: EnrolmentCode, credential: Credential, device: DeviceName }),
  answer: v.object({
    /** False while the account is frozen. */
    signed_in: v.boolean(),
    may_pay_from: v.optional(Instant),
  }),
  writes: true,
  errors: [...refusedLinks, "not_allowed", "passkey_refused"],
});

export const startSignIn = operation({
  ...visitor,
  name: "startSignIn",
  path: "/v1/sign-in/start",
  summary: "A challenge for any passkey of this app: nobody has to say a name",
  answer: v.object({ options: AnswerObject }),
  writes: true,
  errors: [],
});

export const signIn = operation({
  ...visitor,
  name: "signIn",
  path: "/v1/sign-in",
  summary: "Sign in with a passkey",
  description: "Ends the session that the same browser had before.",
  body: v.strictObject({ credential: Credential }),
  answer: signedIn,
  writes: true,
  errors: refusedProofs,
});

export const startProof = operation({
  ...person,
  name: "startProof",
  method: "POST",
  path: "/v1/me/proofs",
  summary: "A challenge for one thing that guards the account, good for two minutes and for once",
  body: v.strictObject({ purpose: ProofPurpose }),
  answer: v.object({ proof_id: Id, method: v.picklist(["passkey", "button"]), options: v.optional(AnswerObject) }),
  status: 201,
  writes: true,
  errors: [],
});

export const myDevices = operation({
  ...person,
  name: "myDevices",
  method: "GET",
  path: "/v1/me/devices",
  summary: "The person's devices (passkeys), newest first",
  answer: v.array(Device),
  status: 200,
  writes: false,
  errors: [],
});

export const inviteDevice = operation({
  ...person,
  name: "inviteDevice",
  method: "POST",
  path: "/v1/me/devices/invite",
  summary: "A link and a code that make a passkey on another device: ten minutes, once",
  description: "A device that may pay invites one that may pay at once. An earlier link of the person ends.",
  body: v.strictObject({ proof: Proof }),
  answer: v.object({ link: v.string(), code: v.string(), expires_in: v.number() }),
  status: 201,
  writes: true,
  errors: [...refusedProofs, "device_too_new"],
});

export const renameDevice = operation({
  ...person,
  ...byId,
  name: "renameDevice",
  method: "POST",
  path: "/v1/me/devices/:id/rename",
  summary: "Give a device another name",
  description: "The person's other browsers are told. The device keeps the time at which it was added.",
  body: v.strictObject({ name: DeviceName }),
  answer: Device,
  status: 200,
  writes: true,
  errors: ["not_found"],
});

export const removeDevice = operation({
  ...person,
  ...byId,
  name: "removeDevice",
  method: "POST",
  path: "/v1/me/devices/:id/remove",
  summary: "Take a device away, or refuse one that was enrolled anew: its sessions end at once",
  description:
    "The last device that may pay stays. A device takes no older one away in its first day, and none but itself " +
    "until it may pay; and none takes away another in that one's first day, unless one operator alone decided its " +
    "enrolment. So whoever got hold of a device cannot shut the owner out with a new one, nor refuse what two " +
    "operators decided.",
  body: v.strictObject({ proof: Proof }),
  answer: v.object({ removed: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_found", ...refusedProofs, "device_too_new", "device_in_first_day", "last_device"],
});

export const mySessions = operation({
  ...person,
  name: "mySessions",
  method: "GET",
  path: "/v1/me/sessions",
  summary: "Where the person is signed in, latest first",
  answer: v.array(SignInSession),
  status: 200,
  writes: false,
  errors: [],
});

export const endMySession = operation({
  ...person,
  ...byId,
  name: "endMySession",
  method: "POST",
  path: "/v1/me/sessions/:id/end",
  summary: "Sign out somewhere else",
  description:
    "Takes a proof for `end_session`, but for the session that asks: who has a copy of a session, and no passkey, " +
    "ends none that the owner begins. A device in its first day ends no session of an older one, and one that may " +
    "not pay yet none of another. The person's other browsers are told, the one that is signed out too.",
  body: v.strictObject({ proof: v.optional(Proof) }),
  answer: v.object({ ended: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_found", "proof_needed", ...refusedProofs, "device_too_new"],
});

export const endMyOtherSessions = operation({
  ...person,
  name: "endMyOtherSessions",
  method: "POST",
  path: "/v1/me/sessions/end-others",
  summary: "Sign out everywhere else",
  description:
    "Ends all sessions of the person but the one that asks, on a proof for `end_session`, and says how many. What " +
    "keeps a device from ending one of them (see endMySession) keeps it from ending any.",
  body: v.strictObject({ proof: Proof }),
  answer: v.object({ ended: v.number() }),
  status: 200,
  writes: true,
  errors: [...refusedProofs, "device_too_new"],
});
