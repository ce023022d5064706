import * as accountChanges from "./account-changes.ts";
import * as approvals from "./approvals.ts";
import * as demo from "./button-sign-in.ts";
import * as contacts from "./contacts.ts";
import * as freezes from "./freezes.ts";
import * as grants from "./grants.ts";
import * as changes from "./merchant-changes.ts";
import * as merchants from "./merchants.ts";
import * as account from "./my-account.ts";
import * as operatorEnrolments from "./operator-enrolments.ts";
import * as operatorMerchants from "./operator-merchants.ts";
import * as passkeys from "./passkeys.ts";
import * as payments from "./payments.ts";
import * as people from "./people.ts";
import * as tills from "./recharges.ts";
import * as refunds from "./refunds.ts";
import * as deliveries from "./webhook-deliveries.ts";

export * from "./broker-answers.ts";
export type { Payment } from "./payments.ts";
export type { Refund } from "./refunds.ts";

/** The operations that widgets call: kept apart so that a page loads no others. */
export const widgetContract = Object.freeze({
  widgetSession: merchants.widgetSession,
  lookUp: tills.lookUp,
  createRecharge: tills.createRecharge,
  recharges: tills.recharges,
});

/** The operations that a merchant's backend calls with its server key. */
export const merchantContract = Object.freeze({
  createSession: merchants.createSession,
  sessionStatus: merchants.sessionStatus,
  sessions: merchants.sessions,
  cancelSession: merchants.cancelSession,
  payments: payments.payments,
  createRefund: refunds.createRefund,
  refunds: refunds.refunds,
  webhookDeliveries: deliveries.webhookDeliveries,
  redeliverWebhook: deliveries.redeliverWebhook,
  recharges: tills.recharges,
});

/**
 * The operations that the app calls: those of the signed-in person, and those of enrolment, sign-in and verification
 * that need no session.
 */
export const personContract = Object.freeze({
  createScan: approvals.createScan,
  openApproval: approvals.openApproval,
  confirmApproval: approvals.confirmApproval,
  approval: approvals.approval,
  withdrawApproval: approvals.withdrawApproval,
  me: people.me,
  myHistory: people.myHistory,
  myReceived: people.myReceived,
  createMyQr: people.createMyQr,
  myQr: people.myQr,
  lookUp: tills.lookUp,
  grantRequest: grants.grantRequest,
  myGrants: grants.myGrants,
  createGrant: grants.createGrant,
  revokeGrant: grants.revokeGrant,
  mySellingRequests: changes.mySellingRequests,
  agreeToSelling: changes.agreeToSelling,
  refuseSelling: changes.refuseSelling,
  demoPeople: demo.demoPeople,
  demoSignIn: demo.demoSignIn,
  signOut: people.signOut,
  qrKeys: people.qrKeys,
  enrolment: passkeys.enrolment,
  startEnrolment: passkeys.startEnrolment,
  finishEnrolment: passkeys.finishEnrolment,
  startSignIn: passkeys.startSignIn,
  signIn: passkeys.signIn,
  startProof: passkeys.startProof,
  myDevices: passkeys.myDevices,
  inviteDevice: passkeys.inviteDevice,
  renameDevice: passkeys.renameDevice,
  removeDevice: passkeys.removeDevice,
  mySessions: passkeys.mySessions,
  endMySession: passkeys.endMySession,
  endMyOtherSessions: passkeys.endMyOtherSessions,
  myTransfers: people.myTransfers,
  mySummary: account.mySummary,
  myStatement: account.myStatement,
  verifyReceipt: account.verifyReceipt,
  myLimits: account.myLimits,
  putMyLimits: account.putMyLimits,
  myPush: account.myPush,
  startMyPush: account.startMyPush,
  endMyPush: account.endMyPush,
  freezeMe: freezes.freezeMe,
  myAccountChanges: accountChanges.myAccountChanges,
  myNicknames: contacts.myNicknames,
  putMyNickname: contacts.putMyNickname,
});

/** The operations that an operator's session calls. */
export const operatorContract = Object.freeze({
  merchants: operatorMerchants.merchants,
  createMerchant: operatorMerchants.createMerchant,
  changeMerchant: operatorMerchants.changeMerchant,
  rotateMerchantKey: operatorMerchants.rotateMerchantKey,
  disableMerchant: operatorMerchants.disableMerchant,
  merchantChanges: changes.merchantChanges,
  agreeToMerchantChange: changes.agreeToMerchantChange,
  withdrawMerchantChange: changes.withdrawMerchantChange,
  createEnrolment: operatorEnrolments.createEnrolment,
  operatorEnrolments: operatorEnrolments.operatorEnrolments,
  showEnrolmentCode: operatorEnrolments.showEnrolmentCode,
  agreeToEnrolment: operatorEnrolments.agreeToEnrolment,
  withdrawEnrolment: operatorEnrolments.withdrawEnrolment,
  frozenPeople: freezes.frozenPeople,
  freezePerson: freezes.freezePerson,
  unfreezePerson: freezes.unfreezePerson,
});

/** Every operation of the broker. */
export const brokerContract = Object.freeze({
  ...merchantContract,
  ...widgetContract,
  ...personContract,
  ...operatorContract,
});
export type BrokerContract = typeof brokerContract;
