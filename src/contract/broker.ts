import * as approvals from "./approvals.ts";
import * as merchants from "./merchants.ts";
import * as people from "./people.ts";

export * from "./broker-answers.ts";

/** What the widgets call: kept apart so that a page carries no more. */
export const widgetContract = Object.freeze({ widgetSession: merchants.widgetSession });

/** What a merchant's backend calls with its server key. */
export const merchantContract = Object.freeze({
  createSession: merchants.createSession,
  sessionStatus: merchants.sessionStatus,
  cancelSession: merchants.cancelSession,
});

/** What the app calls for the signed-in person. */
export const personContract = Object.freeze({
  createScan: approvals.createScan,
  openApproval: approvals.openApproval,
  confirmApproval: approvals.confirmApproval,
  approval: approvals.approval,
  me: people.me,
  myHistory: people.myHistory,
  myReceived: people.myReceived,
  createMyQr: people.createMyQr,
  myQr: people.myQr,
  demoPeople: people.demoPeople,
  demoSignIn: people.demoSignIn,
  signOut: people.signOut,
  qrKeys: people.qrKeys,
});

/** Every operation of the broker. */
export const brokerContract = Object.freeze({ ...merchantContract, ...widgetContract, ...personContract });
export type BrokerContract = typeof brokerContract;
