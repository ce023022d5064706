import type { BrokerOperationName } from "../../support/policy-fixture.ts";
import type { Verdict, Verdicts } from "./verdict.ts";

/**
 * Callers of the broker. `anotherPerson` is somebody signed in who names a second user's things; the merchants' keys
 * and pages name another merchant's. `access token` is one of the service, of any entity, with every scope.
 */
export type BrokerPrincipal =
  | ("visitor" | "person" | "anotherPerson" | "frozenPerson")
  | ("viewer" | "clerk" | "admin")
  | ("sk_" | "pk_" | "ws_ pay" | "ws_ recharge" | "ws_ quota" | "access token");

const OWN = "own records only";

const NOBODY = {
  ...{ visitor: 401, person: 404, anotherPerson: 404, frozenPerson: 401 },
  ...{ viewer: 404, clerk: 404, admin: 404 },
  ...{ sk_: 404, pk_: 404, "ws_ pay": 404, "ws_ recharge": 404, "ws_ quota": 404 },
  "access token": 401,
} as const satisfies Verdicts<BrokerPrincipal>;

/** A row that refuses all principals but the named ones. */
function only(verdicts: Partial<Verdicts<BrokerPrincipal>>): Verdicts<BrokerPrincipal> {
  return { ...NOBODY, ...verdicts };
}

/** Anybody who signed in as a person; the verdict is on naming a second user's things. */
function people(anotherPerson: Verdict): Verdicts<BrokerPrincipal> {
  return only({ person: "allowed", anotherPerson });
}

function operators(viewer: Verdict, clerk: Verdict, admin: Verdict): Verdicts<BrokerPrincipal> {
  return only({ viewer, clerk, admin });
}

/** A row without a credential, so that its verdict is the same for all: a secret in the body or none at all. */
function open(verdict: Verdict): Verdicts<BrokerPrincipal> {
  return Object.fromEntries(Object.keys(NOBODY).map((each) => [each, verdict])) as Verdicts<BrokerPrincipal>;
}

const ALL_PAGES = { "ws_ pay": OWN, "ws_ recharge": OWN, "ws_ quota": OWN } as const;
const ALL_SIGNED_IN = { person: OWN, anotherPerson: OWN, viewer: OWN, clerk: OWN, admin: OWN } as const;

/** The verdict on each operation of the broker for each principal. */
export const brokerVerdicts = Object.freeze({
  createSession: only({ sk_: 403, pk_: 403 }),
  sessionStatus: only({ sk_: 404 }),
  sessions: only({ sk_: OWN }),
  cancelSession: only({ sk_: 404 }),
  payments: only({ sk_: OWN }),
  createRefund: only({ sk_: 404 }),
  refunds: only({ sk_: 404 }),
  webhookDeliveries: only({ sk_: OWN }),
  redeliverWebhook: only({ sk_: 404 }),
  recharges: only({ sk_: OWN, "ws_ recharge": OWN }),
  widgetSession: only(ALL_PAGES),
  lookUp: only({ person: "allowed", anotherPerson: "allowed", "ws_ recharge": "allowed" }),
  createRecharge: only({ "ws_ recharge": 404 }),
  createScan: people("allowed"),
  openApproval: people("allowed"),
  confirmApproval: people(404),
  approval: people(404),
  withdrawApproval: people(404),
  me: people(OWN),
  myHistory: people(OWN),
  myReceived: people(OWN),
  createMyQr: people(OWN),
  myQr: people(404),
  myNicknames: people(OWN),
  putMyNickname: people(404),
  grantRequest: people(OWN),
  myGrants: people(OWN),
  createGrant: people(OWN),
  revokeGrant: people(404),
  mySellingRequests: people(OWN),
  agreeToSelling: people(404),
  refuseSelling: people(404),
  demoPeople: open("allowed"),
  demoSignIn: open("allowed"),
  signOut: only(ALL_SIGNED_IN),
  qrKeys: open("allowed"),
  enrolment: open(404),
  startEnrolment: open(404),
  finishEnrolment: open(404),
  startSignIn: open("allowed"),
  signIn: open(403),
  startProof: people(OWN),
  myDevices: people(OWN),
  inviteDevice: people(OWN),
  renameDevice: people(404),
  removeDevice: people(404),
  mySessions: people(OWN),
  endMySession: people(404),
  endMyOtherSessions: people(OWN),
  myTransfers: people(OWN),
  mySummary: people(OWN),
  myStatement: people(OWN),
  verifyReceipt: open(404),
  myLimits: people(OWN),
  putMyLimits: people(OWN),
  myPush: people(OWN),
  startMyPush: people(403),
  endMyPush: people(OWN),
  freezeMe: people(OWN),
  myAccountChanges: people(OWN),
  merchants: operators("allowed", "allowed", "allowed"),
  createMerchant: operators(403, 403, "allowed"),
  changeMerchant: operators(403, 403, "allowed"),
  rotateMerchantKey: operators(403, 403, "allowed"),
  disableMerchant: operators(403, 403, "allowed"),
  merchantChanges: operators("allowed", "allowed", "allowed"),
  agreeToMerchantChange: operators(403, 403, "allowed"),
  withdrawMerchantChange: operators(403, 403, "allowed"),
  createEnrolment: operators(403, "allowed", "allowed"),
  operatorEnrolments: operators("allowed", "allowed", "allowed"),
  showEnrolmentCode: operators(403, "allowed", "allowed"),
  agreeToEnrolment: operators(403, "allowed", "allowed"),
  withdrawEnrolment: operators(403, "allowed", "allowed"),
  frozenPeople: operators("allowed", "allowed", "allowed"),
  freezePerson: operators(403, "allowed", "allowed"),
  unfreezePerson: operators(403, 403, "allowed"),
} satisfies Record<BrokerOperationName, Verdicts<BrokerPrincipal>>);
