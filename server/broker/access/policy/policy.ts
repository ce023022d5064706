import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { ServiceContract } from "../../../../src/contract/service/service.ts";
import type { ErrorCode } from "../../../../src/contract/shared/errors.ts";
import type { AnswerOf, BodyOf, QueryOf } from "../../../../src/contract/shared/operation.ts";
import type { PersonPrincipal, PrincipalKind, PrincipalOf } from "../principal.ts";
import {
  codeFields,
  isParty,
  isPayee,
  isYours,
  merchantCode,
  merchantPayment,
  movementFields,
  namesOfUsers,
  newCodeFields,
  partyFields,
  payeeFields,
  quotaFields,
  receiptFields,
  refundsMade,
  sessionPaymentFields,
  transferFields,
} from "./policy-fields.ts";
import type { UpstreamName } from "./upstream-calls.ts";

/** Fields that a call of the service takes: the body where the operation has one, else the query. */
export type UpstreamFields<N extends UpstreamName> = NonNullable<
  BodyOf<ServiceContract[N]> extends undefined ? QueryOf<ServiceContract[N]> : BodyOf<ServiceContract[N]>
>;

type ListItem<A> = A extends readonly (infer Item)[] ? Item : A;
/** One record of an answer of the service: an item where the answer is a list. */
export type UpstreamRecord<N extends UpstreamName> = ListItem<AnswerOf<ServiceContract[N]>>;

/** The conditions on which an operation of a principal may call one operation of the service. */
export interface Permission<P, N extends UpstreamName> {
  /** Arguments that the broker sets over those of the handler: whose money, whose history. */
  readonly set?: (principal: P) => Partial<UpstreamFields<N>>;
  /** True if a record concerns the principal; any other is answered as not found. */
  readonly own?: (principal: P, record: UpstreamRecord<N>) => boolean;
  /** The fields that pass; every other field of the answer ends at the broker. */
  readonly pass: readonly (keyof UpstreamRecord<N> & string)[];
  /** True where an answer of the last second will do: a page asks again, and a payment is decided by the service. */
  readonly takesRecent?: true;
  /** Refusals that the handler itself turns into an outcome, beyond those that its row declares. */
  readonly refusals?: readonly ErrorCode[];
}

type PolicyTable = {
  readonly [K in PrincipalKind]: {
    readonly [O in keyof BrokerContract]?: { readonly [N in UpstreamName]?: Permission<PrincipalOf<K>, N> };
  };
};

/** Grants the quota that an outcome comes with; the payment itself is sent under `ownPolicy`. */
const quotaAfter = {
  user: { set: ({ userId }: PersonPrincipal) => ({ id: userId }), pass: ["quota_available"] },
} as const;

/**
 * The authorisation table: principal × broker operation → operations of the service, each with the arguments that the
 * broker sets, and the fields of the answer that pass. The broker's client credentials carry a whole application's
 * authority, so that this table is the only authorisation there is. A pair that it lacks answers 404.
 */
export const policy = Object.freeze({
  person: {
    me: {
      user: {
        set: ({ userId }) => ({ id: userId }),
        own: ({ userId }, user) => user.id === userId,
        pass: quotaFields,
      },
    },
    myHistory: {
      transactionHistory: { set: ({ userId }) => ({ "user-id": userId }), own: isParty, pass: movementFields },
    },
    myReceived: {
      receivedPayments: { set: ({ userId }) => ({ "user-id": userId }), own: isPayee, pass: movementFields },
    },
    createMyQr: {
      createTransactionQr: { set: ({ userId }) => ({ to_user_id: userId }), pass: newCodeFields },
    },
    myQr: { transactionQr: { own: isPayee, pass: ["to_user_id", "state", "expires_in", "transaction_id"] } },
    createScan: {
      transactionQr: { pass: codeFields, takesRecent: true },
      user: { pass: payeeFields, refusals: ["user_not_found"] },
    },
    openApproval: {
      transactionQr: { pass: codeFields, refusals: ["qr_not_found"], takesRecent: true },
      user: { pass: payeeFields, refusals: ["user_not_found"] },
      transactionHistory: {
        set: ({ userId }) => ({ "user-id": userId, direction: "sent", status: "approved", limit: "500" }),
        own: isParty,
        pass: ["to_user_id", "kind", "amount", "reversed_amount", "created_at"],
      },
      transaction: {
        own: isPayee,
        pass: [...receiptFields, "kind", "amount", "reversed_amount", "to_user_id", ...partyFields],
        refusals: ["transaction_not_found"],
      },
    },
    confirmApproval: quotaAfter,
    approval: quotaAfter,
    withdrawApproval: quotaAfter,
    lookUp: { user: { pass: payeeFields } },
    myNicknames: {},
    putMyNickname: {},
    grantRequest: {},
    myGrants: {},
    createGrant: {},
    revokeGrant: {},
    mySellingRequests: {},
    agreeToSelling: {},
    refuseSelling: {},
    startProof: {},
    myDevices: {},
    inviteDevice: {},
    renameDevice: {},
    removeDevice: {},
    mySessions: {},
    endMySession: {},
    endMyOtherSessions: {},
    myTransfers: {
      ledgerTransactionHistory: { set: ({ userId }) => ({ "user-id": userId }), own: isParty, pass: transferFields },
      user: namesOfUsers,
    },
    mySummary: {
      transactionSummary: {
        set: ({ userId }) => ({ "user-id": userId }),
        pass: ["_id", "total_amount", "transactions"],
      },
      user: namesOfUsers,
    },
    myStatement: {
      user: namesOfUsers,
      accountStatement: {
        set: ({ userId }) => ({ "user-id": userId }),
        own: ({ userId }, statement) => statement.user_id === userId,
        pass: ["user_id", "final", "opening_balance", "closing_balance", "entries"],
      },
    },
    myLimits: {},
    putMyLimits: {},
    myPush: {},
    startMyPush: {},
    endMyPush: {},
    freezeMe: {},
    myAccountChanges: {},
    signOut: {},
  },
  merchant: {
    createSession: {
      createTransactionQr: { set: ({ userId }) => ({ to_user_id: userId }), pass: newCodeFields },
      transactionQr: merchantCode,
      cancelTransactionQr: { ...merchantCode, refusals: ["qr_not_found", "qr_expired"] },
      user: { own: isYours, pass: ["id"], refusals: ["user_not_found"] },
    },
    sessionStatus: {
      transactionQr: merchantCode,
      transaction: {
        own: isPayee,
        pass: ["to_user_id", "status", "created_at", "reversed_amount"],
        refusals: ["transaction_not_found"],
      },
    },
    sessions: { transactionQr: merchantCode },
    cancelSession: { cancelTransactionQr: merchantCode },
    payments: {
      receivedPayments: {
        set: ({ userId }) => ({ "user-id": userId, kind: "qr" }),
        own: isPayee,
        pass: sessionPaymentFields,
        refusals: ["user_not_found"],
      },
      transactionQr: merchantCode,
      transaction: merchantPayment,
    },
    createRefund: { transaction: merchantPayment },
    refunds: { transaction: merchantPayment, transactionHistory: refundsMade },
    webhookDeliveries: {},
    redeliverWebhook: {},
    recharges: {},
  },
  publishable: {
    createSession: {
      createTransactionQr: { set: ({ userId }) => ({ to_user_id: userId }), pass: newCodeFields },
      transactionQr: merchantCode,
    },
  },
  paySession: {
    widgetSession: {
      transactionQr: { set: ({ reference }) => ({ reference }), own: isPayee, pass: codeFields, takesRecent: true },
    },
  },
  rechargeSession: {
    widgetSession: {},
    lookUp: { user: { pass: payeeFields } },
    createRecharge: {},
    recharges: {},
  },
  quotaSession: {
    widgetSession: {
      user: {
        set: ({ subjectUserId }) => ({ id: subjectUserId }),
        own: ({ subjectUserId }, user) => user.id === subjectUserId,
        pass: quotaFields,
      },
      transactionHistory: {
        set: ({ subjectUserId }) => ({ "user-id": subjectUserId, direction: "all", limit: "5" }),
        own: ({ subjectUserId }, payment) => isParty({ userId: subjectUserId }, payment),
        pass: ["id", "kind", "status", "amount", "created_at", ...partyFields],
      },
    },
  },
  operator: {
    merchants: {},
    createMerchant: { user: { own: isYours, pass: ["id"] } },
    changeMerchant: {},
    rotateMerchantKey: {},
    disableMerchant: {},
    merchantChanges: {},
    agreeToMerchantChange: {},
    withdrawMerchantChange: {},
    createEnrolment: { user: { own: isYours, pass: [...payeeFields, "quota"] } },
    operatorEnrolments: {},
    showEnrolmentCode: {},
    agreeToEnrolment: {},
    withdrawEnrolment: {},
    frozenPeople: {},
    freezePerson: { user: { pass: ["id"] } },
    unfreezePerson: {},
    signOut: {},
  },
  visitor: {
    demoPeople: {},
    demoSignIn: {},
    qrKeys: {},
    enrolment: {},
    startEnrolment: {},
    finishEnrolment: {},
    startSignIn: {},
    signIn: {},
    verifyReceipt: {
      transaction: {
        pass: ["id", "status", "amount", "reversed_amount", "from_user_id", "to_user_id"],
        refusals: ["transaction_not_found"],
      },
      user: namesOfUsers,
    },
  },
} satisfies PolicyTable);

/**
 * The kind of principal that may open each event stream of update hints. A hint only says "look again", so that no
 * fields of the service pass.
 */
export const streamPolicy = Object.freeze({
  "/v1/session/stream": "paySession",
  "/v1/me/events": "person",
} as const satisfies Record<string, PrincipalKind>);

/** The type of {@link policy}, from which the calls that each handler is given are derived. */
export type Policy = typeof policy;
