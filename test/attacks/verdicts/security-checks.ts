import type { BrokerOperationName } from "../../support/policy-fixture.ts";
import type { OperationName } from "../../support/service-calls.ts";
import { type BrokerPrincipal, brokerVerdicts } from "./broker-verdicts.ts";
import { type ServicePrincipal, serviceVerdicts } from "./service-verdicts.ts";
import type { Verdict } from "./verdict.ts";

/** The columns of the table in docs/security.md, in its order. */
export const STRANGERS = [
  ...(["second fintech", "one clerk", "two operators", "thief with the phone", "thief with a cookie"] as const),
  ...(["leaked `sk_`", "leaked `ws_`", "leaked access token", "hostile page"] as const),
] as const;
type Stranger = (typeof STRANGERS)[number];

type Harm =
  | ("money moved" | "quota read" | "names learnt" | "people enrolled" | "devices removed" | "sessions ended")
  | ("accounts frozen" | "limits changed" | "administration changed" | "codes made" | "memory and queues used");

/** A test that shows a cell, by its file and its name. */
export interface ShownBy {
  readonly file: string;
  readonly name: string;
}

/** Verdicts on operations, each of which forbidden-pairs.test.ts tries, that say the same as a cell. */
export interface JudgedBy {
  readonly verdicts: readonly Verdict[];
}

/** The check of a cell, or several that each show a part of it. */
type Check = ShownBy | JudgedBy | readonly ShownBy[];

/** A rule's attack file. */
function attack(rule: string, name: string): ShownBy {
  return { file: `test/attacks/${rule}.attack.test.ts`, name };
}

function test(file: string, name: string): Check {
  return { file: `server/broker/${file}.test.ts`, name };
}

function service(principal: ServicePrincipal, ...names: OperationName[]): Check {
  return { verdicts: names.map((name) => serviceVerdicts[name][principal]) };
}

function broker(principals: BrokerPrincipal | readonly BrokerPrincipal[], ...names: BrokerOperationName[]): Check {
  const all = [principals].flat() as BrokerPrincipal[];
  return { verdicts: all.flatMap((principal) => names.map((name) => brokerVerdicts[name][principal])) };
}

const PAGES = ["ws_ pay", "ws_ recharge", "ws_ quota"] as const;
const STRANGE_PAGE = ["visitor", "pk_"] as const;
const MERCHANT_CHANGES = ["createMerchant", "changeMerchant", "rotateMerchantKey"] as const;
const ENROLLING = ["createEnrolment", "showEnrolmentCode", "agreeToEnrolment", "inviteDevice"] as const;

const MASKED = test(
  "people/look-ups/look-up",
  "by phone or nit, in whatever spelling, gives a masked name and a handle, and no id or name",
);
const OWN_USERS = attack("05-own-users", "a clerk learns whose a phone or nit is at another entity");
const UNREAD = attack("18-unread-answers", "58 KB of requests for a file take hundreds of megabytes from the broker");
const HELD = attack("19-bounded-queues", "are held by one key without limit");
const CODES = attack("19-bounded-queues", "are made by one person without limit");
const PROOF = test(
  "people/account/passkeys",
  "is the button alone for the demo's people, and never for a session of a passkey",
);

/** The check of each cell of the table in docs/security.md. */
export const securityChecks = Object.freeze({
  "money moved": {
    "second fintech": attack(
      "03-counterparty-limit",
      "quota out of nothing is paid to another entity's user, and paid out by it in cash",
    ),
    "one clerk": attack("06-enrolment-by-two-ways", "becomes a user who has no passkey yet, and spends the quota"),
    "two operators": attack("06-enrolment-by-two-ways", "spends the whole quota in its first hour"),
    "thief with the phone": attack(
      "15-limits-in-one-shape",
      "makes an accomplice known by paying 1, and then sends all",
    ),
    "thief with a cookie": test(
      "payments/approvals/passkey-approvals",
      "is refused without a passkey, also with the demo's word for one",
    ),
    "leaked `sk_`": [
      attack("09-powers-of-merchants", "of a payment and of a day are passed by a till"),
      attack("09-refunds-of-merchants", "gives back what another merchant of the same user was paid"),
      attack("09-refunds-of-merchants", "gives back more in a day than the merchant's limit, by requests at once"),
    ],
    "leaked `ws_`": test(
      "merchants/recharges/recharge-session",
      "sells no more than its limit for all, whoever asks at once",
    ),
    "leaked access token": attack("04-oauth-scopes", "outlives the secret that was retired because of it"),
    "hostile page": broker(STRANGE_PAGE, "confirmApproval", "openApproval", "createRecharge"),
  },
  "quota read": {
    "second fintech": attack("01-foreign-look-ups", "its quota is had for nothing"),
    "one clerk": broker(["viewer", "clerk"], "me", "myHistory", "myStatement", "widgetSession"),
    "two operators": test(
      "merchants/merchant-changes",
      "allow what one asked for, from when the other agrees; all else is done at once",
    ),
    "thief with the phone": broker(["person", "anotherPerson"], "me", "myHistory", "myStatement"),
    "thief with a cookie": broker(["person", "anotherPerson"], "me", "myHistory", "myStatement"),
    "leaked `sk_`": attack("08-told-changes", "shows the quota for ever by a leave that was given once"),
    "leaked `ws_`": broker(PAGES, "widgetSession"),
    "leaked access token": service("read", "user", "users", "credits"),
    "hostile page": broker(STRANGE_PAGE, "me", "myHistory", "widgetSession"),
  },
  "names learnt": {
    "second fintech": attack(
      "01-foreign-look-ups",
      "phones are tried one after the other, without end, until one is somebody's",
    ),
    "one clerk": OWN_USERS,
    "two operators": OWN_USERS,
    "thief with the phone": test(
      "people/look-ups/look-up",
      "ends after sixty a day that led to no sale, whether they found somebody or not",
    ),
    "thief with a cookie": test(
      "people/look-ups/look-up",
      "refuses all of a thousand guesses after the tenth, and tells nothing of whom they would have found",
    ),
    "leaked `sk_`": test(
      "people/look-ups/look-up",
      "is also the merchant's, two thousand a day, those that led to a sale included",
    ),
    "leaked `ws_`": MASKED,
    "leaked access token": service("read", "user", "users"),
    "hostile page": broker(STRANGE_PAGE, "lookUp", "myHistory", "recharges"),
  },
  "people enrolled": {
    "second fintech": broker("access token", ...ENROLLING),
    "one clerk": attack(
      "06-enrolment-by-two-ways",
      "is told link and code together by the answer that makes an enrolment",
    ),
    "two operators": broker("clerk", "createEnrolment", "showEnrolmentCode", "agreeToEnrolment"),
    "thief with the phone": attack(
      "08-told-changes",
      "adds a device of their own while the owner's other device hears nothing of it",
    ),
    "thief with a cookie": PROOF,
    "leaked `sk_`": broker("sk_", ...ENROLLING),
    "leaked `ws_`": broker(PAGES, ...ENROLLING),
    "leaked access token": broker("access token", ...ENROLLING),
    "hostile page": broker(STRANGE_PAGE, ...ENROLLING),
  },
  "devices removed": {
    "second fintech": broker("access token", "removeDevice", "renameDevice"),
    "one clerk": broker("clerk", "removeDevice", "renameDevice", "myDevices"),
    "two operators": attack(
      "07-freeze",
      "refuses the owner's new device, which two operators decided, and keeps the stolen one",
    ),
    "thief with the phone": attack(
      "07-freeze",
      "shuts the owner out with a device that the stolen one invited a minute ago",
    ),
    "thief with a cookie": PROOF,
    "leaked `sk_`": broker("sk_", "removeDevice", "renameDevice"),
    "leaked `ws_`": broker(PAGES, "removeDevice", "renameDevice"),
    "leaked access token": broker("access token", "removeDevice", "renameDevice"),
    "hostile page": broker(STRANGE_PAGE, "removeDevice", "renameDevice"),
  },
  "sessions ended": {
    "second fintech": broker("access token", "endMySession", "endMyOtherSessions", "freezePerson"),
    "one clerk": broker("clerk", "freezePerson"),
    "two operators": broker("admin", "freezePerson"),
    "thief with the phone": test(
      "people/account/my-sessions",
      "is not ended by a device in its first day where it is an older one's, nor by one that may not pay",
    ),
    "thief with a cookie": attack(
      "07-freeze",
      "ends each session that the owner begins, so that nobody freezes the account",
    ),
    "leaked `sk_`": broker("sk_", "endMySession", "endMyOtherSessions", "freezeMe"),
    "leaked `ws_`": broker(PAGES, "endMySession", "endMyOtherSessions", "freezeMe"),
    "leaked access token": broker("access token", "endMySession", "endMyOtherSessions", "freezePerson"),
    "hostile page": broker(STRANGE_PAGE, "endMySession", "endMyOtherSessions", "freezeMe"),
  },
  "accounts frozen": {
    "second fintech": service("stranger", "blockUser", "unblockUser"),
    "one clerk": broker("clerk", "freezePerson"),
    "two operators": broker("admin", "freezePerson", "unfreezePerson"),
    "thief with the phone": broker(["person", "anotherPerson"], "freezeMe"),
    "thief with a cookie": broker(["person", "anotherPerson"], "freezeMe"),
    "leaked `sk_`": broker("sk_", "freezeMe", "freezePerson", "unfreezePerson"),
    "leaked `ws_`": broker(PAGES, "freezeMe", "freezePerson", "unfreezePerson"),
    "leaked access token": service("users", "blockUser", "unblockUser"),
    "hostile page": broker(STRANGE_PAGE, "freezeMe", "freezePerson", "unfreezePerson"),
  },
  "limits changed": {
    "second fintech": service("stranger", "putEntitySettings", "putCounterpartyLimit"),
    "one clerk": broker("clerk", "putMyLimits", "changeMerchant"),
    "two operators": broker(["clerk", "admin"], "putMyLimits"),
    "thief with the phone": test(
      "people/protection/limits",
      "of the entity and of the person are told with what was spent today, and the lower one holds",
    ),
    "thief with a cookie": attack("08-told-changes", "stops the owner from paying, by a limit of 1"),
    "leaked `sk_`": broker("sk_", "putMyLimits", "changeMerchant"),
    "leaked `ws_`": broker(PAGES, "putMyLimits", "changeMerchant"),
    "leaked access token": attack("04-oauth-scopes", "lifts the entity's limits"),
    "hostile page": broker(STRANGE_PAGE, "putMyLimits", "changeMerchant"),
  },
  "administration changed": {
    "second fintech": service("stranger", "createApiClient", "putWebhook", "putLoanType", "closeMonth"),
    "one clerk": broker("clerk", ...MERCHANT_CHANGES, "agreeToMerchantChange", "unfreezePerson"),
    "two operators": attack("09-powers-of-merchants", "let a merchant sell in the name of a user without a passkey"),
    "thief with the phone": broker("person", ...MERCHANT_CHANGES, "unfreezePerson"),
    "thief with a cookie": broker("person", ...MERCHANT_CHANGES, "unfreezePerson"),
    "leaked `sk_`": broker("sk_", ...MERCHANT_CHANGES),
    "leaked `ws_`": broker(PAGES, ...MERCHANT_CHANGES),
    "leaked access token": attack("04-oauth-scopes", "makes itself permanent: it makes a client of its own"),
    "hostile page": broker(STRANGE_PAGE, ...MERCHANT_CHANGES),
  },
  "codes made": {
    "second fintech": service("stranger", "createTransactionQr"),
    "one clerk": broker("clerk", "createMyQr", "createSession"),
    "two operators": broker(["clerk", "admin"], "createMyQr", "createSession"),
    "thief with the phone": CODES,
    "thief with a cookie": CODES,
    "leaked `sk_`": attack("19-bounded-queues", "are kept live for a day by one key without limit"),
    "leaked `ws_`": broker(PAGES, "createMyQr", "createSession"),
    "leaked access token": service("pay", "createTransactionQr"),
    "hostile page": attack("22-public-edges", "name an order, which the merchant's backend alone may"),
  },
  "memory and queues used": {
    "second fintech": attack("19-bounded-queues", "makes everybody wait for as long as one commit hangs"),
    "one clerk": UNREAD,
    "two operators": UNREAD,
    "thief with the phone": UNREAD,
    "thief with a cookie": UNREAD,
    "leaked `sk_`": HELD,
    "leaked `ws_`": HELD,
    "leaked access token": attack(
      "19-bounded-queues",
      "are all taken by one entity's reads, so that nobody else reads or pays",
    ),
    "hostile page": UNREAD,
  },
} satisfies Record<Harm, Record<Stranger, Check>>);
