import type { BrokerContext } from "./access/broker-context.ts";
import type { GatedHandlers } from "./access/policy/gate.ts";
import { demoPeople, demoSignIn } from "./demo/demo-sign-in.ts";
import { redeliverWebhook, webhookDeliveries } from "./merchants/events/webhook-deliveries.ts";
import { agreeToMerchantChange, merchantChanges, withdrawMerchantChange } from "./merchants/merchant-changes.ts";
import {
  changeMerchant,
  createMerchant,
  disableMerchant,
  merchants,
  rotateMerchantKey,
} from "./merchants/operator-merchants.ts";
import { payments } from "./merchants/payments/payments.ts";
import { createRecharge } from "./merchants/recharges/create-recharge.ts";
import { rechargeSession } from "./merchants/recharges/recharge-session.ts";
import { recharges } from "./merchants/recharges/recharges.ts";
import type { RechargeReconciler } from "./merchants/recharges/reconcile-recharges.ts";
import { createRefund } from "./merchants/refunds/create-refund.ts";
import type { RefundReconciler } from "./merchants/refunds/reconcile-refunds.ts";
import { refunds } from "./merchants/refunds/refunds.ts";
import { createPageSession, createSession } from "./merchants/sessions/create-session.ts";
import { quotaSession } from "./merchants/sessions/quota-session.ts";
import { cancelSession, sessionStatus } from "./merchants/sessions/session-status.ts";
import { sessions } from "./merchants/sessions/sessions.ts";
import { widgetSession } from "./merchants/sessions/widget-session.ts";
import { approval, confirmApproval, withdrawApproval } from "./payments/approvals/confirm-approval.ts";
import { openApproval } from "./payments/approvals/open-approval.ts";
import type { ApprovalReconciler } from "./payments/approvals/reconcile-approvals.ts";
import { createScan } from "./payments/codes/create-scan.ts";
import { createMyQr, myQr } from "./payments/codes/my-qr.ts";
import { createGrant, grantRequest, myGrants, revokeGrant } from "./people/account/consents.ts";
import { me } from "./people/account/me.ts";
import { myAccountChanges } from "./people/account/my-account-changes.ts";
import { endMyOtherSessions, endMySession, mySessions } from "./people/account/my-sessions.ts";
import { agreeToSelling, mySellingRequests, refuseSelling } from "./people/account/selling-requests.ts";
import { signIn, startSignIn } from "./people/account/sign-in.ts";
import { signOut } from "./people/account/sign-out.ts";
import { startProof } from "./people/account/start-proof.ts";
import { myNicknames, putMyNickname } from "./people/contacts/my-nicknames.ts";
import { inviteDevice } from "./people/devices/invite-device.ts";
import { myDevices, renameDevice } from "./people/devices/my-devices.ts";
import {
  agreeToEnrolment,
  createEnrolment,
  operatorEnrolments,
  showEnrolmentCode,
  withdrawEnrolment,
} from "./people/devices/operator-enrolments.ts";
import { removeDevice } from "./people/devices/remove-device.ts";
import { enrolment, finishEnrolment, startEnrolment } from "./people/devices/use-enrolment.ts";
import { myHistory, myReceived } from "./people/history/my-movements.ts";
import { mySummary } from "./people/history/my-summary.ts";
import { myTransfers } from "./people/history/my-transfers.ts";
import { createPartyNames } from "./people/history/party-names.ts";
import { verifyReceipt } from "./people/history/verify-receipt.ts";
import { lookUp } from "./people/look-ups/look-up.ts";
import { endMyPush, myPush, startMyPush } from "./people/notifications/my-push.ts";
import type { BlockFollower } from "./people/protection/follow-blocks.ts";
import { freezeMe } from "./people/protection/my-freeze.ts";
import { myLimits, putMyLimits } from "./people/protection/my-limits.ts";
import { freezePerson, frozenPeople, unfreezePerson } from "./people/protection/operator-freezes.ts";
import { myStatement } from "./people/statements/my-statement.ts";

function tillHandlers(broker: BrokerContext, reconciler: RechargeReconciler): GatedHandlers["rechargeSession"] {
  return {
    widgetSession: rechargeSession(broker),
    lookUp: lookUp(broker),
    createRecharge: createRecharge(broker, reconciler),
    recharges: recharges(broker),
  };
}

type Person = GatedHandlers["person"];
type DeviceOperation = "myDevices" | "inviteDevice" | "renameDevice" | "removeDevice";
type SessionOperation = "mySessions" | "endMySession" | "endMyOtherSessions";
type ConsentOperation = "grantRequest" | "myGrants" | "createGrant" | "revokeGrant";
type SellingOperation = "mySellingRequests" | "agreeToSelling" | "refuseSelling";
type PushOperation = "myPush" | "startMyPush" | "endMyPush";
type GuardOperation = "myLimits" | "putMyLimits" | PushOperation | "freezeMe" | "myAccountChanges";
type FreezeOperation = "frozenPeople" | "freezePerson" | "unfreezePerson";
type SignInOperation = "enrolment" | "startEnrolment" | "finishEnrolment" | "startSignIn" | "signIn";

function deviceHandlers(broker: BrokerContext): Pick<Person, DeviceOperation | SessionOperation | "startProof"> {
  return {
    startProof: startProof(broker),
    myDevices: myDevices(broker),
    inviteDevice: inviteDevice(broker),
    renameDevice: renameDevice(broker),
    removeDevice: removeDevice(broker),
    mySessions: mySessions(broker),
    endMySession: endMySession(broker),
    endMyOtherSessions: endMyOtherSessions(broker),
  };
}

function consentHandlers(broker: BrokerContext): Pick<Person, ConsentOperation | SellingOperation> {
  return {
    grantRequest: grantRequest(broker),
    myGrants: myGrants(broker),
    createGrant: createGrant(broker),
    revokeGrant: revokeGrant(broker),
    mySellingRequests: mySellingRequests(broker),
    agreeToSelling: agreeToSelling(broker),
    refuseSelling: refuseSelling(broker),
  };
}

function guardHandlers(broker: BrokerContext, blocks: BlockFollower): Pick<Person, GuardOperation> {
  return {
    myLimits: myLimits(broker),
    putMyLimits: putMyLimits(broker),
    myPush: myPush(broker),
    startMyPush: startMyPush(broker),
    endMyPush: endMyPush(broker),
    freezeMe: freezeMe(broker, blocks),
    myAccountChanges: myAccountChanges(broker),
  };
}

function freezeHandlers(
  broker: BrokerContext,
  blocks: BlockFollower,
): Pick<GatedHandlers["operator"], FreezeOperation> {
  return {
    frozenPeople: frozenPeople(broker),
    freezePerson: freezePerson(broker, blocks),
    unfreezePerson: unfreezePerson(broker, blocks),
  };
}

function operatorHandlers(broker: BrokerContext): Omit<GatedHandlers["operator"], FreezeOperation | "signOut"> {
  return {
    merchants: merchants(broker),
    createMerchant: createMerchant(broker),
    changeMerchant: changeMerchant(broker),
    rotateMerchantKey: rotateMerchantKey(broker),
    disableMerchant: disableMerchant(broker),
    merchantChanges: merchantChanges(broker),
    agreeToMerchantChange: agreeToMerchantChange(broker),
    withdrawMerchantChange: withdrawMerchantChange(broker),
    createEnrolment: createEnrolment(broker),
    operatorEnrolments: operatorEnrolments(broker),
    showEnrolmentCode: showEnrolmentCode(broker),
    agreeToEnrolment: agreeToEnrolment(broker),
    withdrawEnrolment: withdrawEnrolment(broker),
  };
}

function signInHandlers(broker: BrokerContext): Pick<GatedHandlers["visitor"], SignInOperation> {
  return {
    enrolment: enrolment(broker),
    startEnrolment: startEnrolment(broker),
    finishEnrolment: finishEnrolment(broker),
    startSignIn: startSignIn(broker),
    signIn: signIn(broker),
  };
}

function merchantHandlers(broker: BrokerContext, reconciler: RefundReconciler): GatedHandlers["merchant"] {
  return {
    createSession: createSession(broker),
    sessionStatus: sessionStatus(broker),
    sessions: sessions(broker),
    cancelSession: cancelSession(broker),
    payments: payments(broker),
    createRefund: createRefund(broker, reconciler),
    refunds: refunds(broker),
    webhookDeliveries: webhookDeliveries(broker),
    redeliverWebhook: redeliverWebhook(broker),
    recharges: recharges(broker),
  };
}

/** The broker's background workers that handlers use. */
interface Workers {
  readonly approvals: ApprovalReconciler;
  readonly sales: RechargeReconciler;
  readonly refunds: RefundReconciler;
  readonly blocks: BlockFollower;
}

/** Assembles the broker's handlers: one for each pair of principal kind and operation that the policy has. */
export function brokerHandlers(
  broker: BrokerContext,
  { approvals, sales, refunds: reconciler, blocks }: Workers,
): GatedHandlers {
  const endSession = signOut(broker);
  const names = createPartyNames(broker);
  return {
    person: {
      me: me(broker),
      myHistory: myHistory(broker),
      myReceived: myReceived(broker),
      createMyQr: createMyQr(broker),
      myQr: myQr(),
      createScan: createScan(broker),
      openApproval: openApproval(broker),
      confirmApproval: confirmApproval(broker, approvals),
      approval: approval(broker, approvals),
      withdrawApproval: withdrawApproval(broker, approvals),
      lookUp: lookUp(broker),
      myNicknames: myNicknames(broker),
      putMyNickname: putMyNickname(broker),
      ...consentHandlers(broker),
      ...deviceHandlers(broker),
      myTransfers: myTransfers(broker, names),
      mySummary: mySummary(names, broker),
      myStatement: myStatement(broker, names),
      ...guardHandlers(broker, blocks),
      signOut: endSession,
    },
    merchant: merchantHandlers(broker, reconciler),
    publishable: { createSession: createPageSession(broker) },
    paySession: { widgetSession: widgetSession(broker) },
    rechargeSession: tillHandlers(broker, sales),
    quotaSession: { widgetSession: quotaSession(broker) },
    operator: { ...operatorHandlers(broker), ...freezeHandlers(broker, blocks), signOut: endSession },
    visitor: {
      demoPeople: demoPeople(broker),
      demoSignIn: demoSignIn(broker),
      ...signInHandlers(broker),
      verifyReceipt: verifyReceipt(broker, names),
      qrKeys: async () => ({ body: await broker.qrKeys.get() }),
    },
  };
}
