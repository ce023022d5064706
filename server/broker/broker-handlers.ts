import { myAccountChanges } from "./account-changes/my-account-changes.ts";
import { approval, confirmApproval, withdrawApproval } from "./approvals/confirm-approval.ts";
import { openApproval } from "./approvals/open-approval.ts";
import type { Settler } from "./approvals/settle-approval.ts";
import type { BrokerContext } from "./broker-context.ts";
import { createScan } from "./codes/create-scan.ts";
import { createMyQr, myQr } from "./codes/my-qr.ts";
import { demoPeople, demoSignIn } from "./demo/demo-sign-in.ts";
import {
  agreeToEnrolment,
  createEnrolment,
  operatorEnrolments,
  showEnrolmentCode,
  withdrawEnrolment,
} from "./enrolments/operator-enrolments.ts";
import { enrolment, finishEnrolment, startEnrolment } from "./enrolments/use-enrolment.ts";
import type { BlockFollower } from "./freezes/follow-blocks.ts";
import { freezeMe } from "./freezes/my-freeze.ts";
import { freezePerson, frozenPeople, unfreezePerson } from "./freezes/operator-freezes.ts";
import type { GatedHandlers } from "./gate.ts";
import { createGrant, grantRequest, myGrants, revokeGrant } from "./grants/grants.ts";
import { myLimits, putMyLimits } from "./limits/my-limits.ts";
import { lookUp } from "./look-ups/look-up.ts";
import { agreeToMerchantChange, merchantChanges, withdrawMerchantChange } from "./merchants/merchant-changes.ts";
import {
  changeMerchant,
  createMerchant,
  disableMerchant,
  merchants,
  rotateMerchantKey,
} from "./merchants/operator-merchants.ts";
import { signIn, startSignIn } from "./passkeys/sign-in.ts";
import { startProof } from "./passkeys/start-proof.ts";
import { inviteDevice } from "./people/invite-device.ts";
import { me } from "./people/me.ts";
import { myDevices, renameDevice } from "./people/my-devices.ts";
import { myHistory, myReceived } from "./people/my-movements.ts";
import { endMySession, mySessions } from "./people/my-sessions.ts";
import { mySummary } from "./people/my-summary.ts";
import { myTransfers } from "./people/my-transfers.ts";
import { createPartyNames } from "./people/party-names.ts";
import { removeDevice } from "./people/remove-device.ts";
import { signOut } from "./people/sign-out.ts";
import { createTopUpNames } from "./people/top-up-names.ts";
import { endMyPush, myPush, startMyPush } from "./push/my-push.ts";
import { verifyReceipt } from "./receipts/verify-receipt.ts";
import { createRecharge } from "./recharges/create-recharge.ts";
import { rechargeSession } from "./recharges/recharge-session.ts";
import { recharges } from "./recharges/recharges.ts";
import type { RechargeSettler } from "./recharges/settle-recharge.ts";
import { agreeToSelling, mySellingRequests, refuseSelling } from "./selling/selling-requests.ts";
import { createPageSession, createSession } from "./sessions/create-session.ts";
import { quotaSession } from "./sessions/quota-session.ts";
import { cancelSession, sessionStatus } from "./sessions/session-status.ts";
import { widgetSession } from "./sessions/widget-session.ts";
import { myStatement } from "./statements/my-statement.ts";

function tillHandlers(broker: BrokerContext, settler: RechargeSettler): GatedHandlers["rechargeSession"] {
  return {
    widgetSession: rechargeSession(broker),
    lookUp: lookUp(broker),
    createRecharge: createRecharge(broker, settler),
    recharges: recharges(broker),
  };
}

type Person = GatedHandlers["person"];
type DeviceOperation = "myDevices" | "inviteDevice" | "renameDevice" | "removeDevice" | "mySessions" | "endMySession";
type GrantOperation = "grantRequest" | "myGrants" | "createGrant" | "revokeGrant";
type SellingOperation = "mySellingRequests" | "agreeToSelling" | "refuseSelling";
type PushOperation = "myPush" | "startMyPush" | "endMyPush";
type GuardOperation = "myLimits" | "putMyLimits" | PushOperation | "freezeMe" | "myAccountChanges";
type FreezeOperation = "frozenPeople" | "freezePerson" | "unfreezePerson";
type SignInOperation = "enrolment" | "startEnrolment" | "finishEnrolment" | "startSignIn" | "signIn";

function deviceHandlers(broker: BrokerContext): Pick<Person, DeviceOperation | "startProof"> {
  return {
    startProof: startProof(broker),
    myDevices: myDevices(broker),
    inviteDevice: inviteDevice(broker),
    renameDevice: renameDevice(broker),
    removeDevice: removeDevice(broker),
    mySessions: mySessions(broker),
    endMySession: endMySession(broker),
  };
}

function grantHandlers(broker: BrokerContext): Pick<Person, GrantOperation | SellingOperation> {
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

/** The broker's background workers that handlers use. */
interface Workers {
  readonly approvals: Settler;
  readonly sales: RechargeSettler;
  readonly blocks: BlockFollower;
}

/** Assembles one handler for every pair of the policy. */
export function brokerHandlers(broker: BrokerContext, { approvals, sales, blocks }: Workers): GatedHandlers {
  const endSession = signOut(broker);
  const [names, topUps] = [createPartyNames(broker), createTopUpNames(broker)];
  return {
    person: {
      me: me(broker),
      myHistory: myHistory(broker, topUps),
      myReceived: myReceived(broker, topUps),
      createMyQr: createMyQr(broker),
      myQr: myQr(),
      createScan: createScan(broker),
      openApproval: openApproval(broker),
      confirmApproval: confirmApproval(broker, approvals),
      approval: approval(broker, approvals),
      withdrawApproval: withdrawApproval(broker, approvals),
      lookUp: lookUp(broker),
      ...grantHandlers(broker),
      ...deviceHandlers(broker),
      myTransfers: myTransfers(broker, names),
      mySummary: mySummary(names),
      myStatement: myStatement(broker, names, topUps),
      ...guardHandlers(broker, blocks),
      signOut: endSession,
    },
    merchant: {
      createSession: createSession(broker),
      sessionStatus: sessionStatus(broker),
      cancelSession: cancelSession(broker),
      recharges: recharges(broker),
    },
    publishable: { createSession: createPageSession(broker) },
    paySession: { widgetSession: widgetSession(broker) },
    rechargeSession: tillHandlers(broker, sales),
    quotaSession: { widgetSession: quotaSession(broker, topUps) },
    operator: { ...operatorHandlers(broker), ...freezeHandlers(broker, blocks), signOut: endSession },
    visitor: {
      demoPeople: demoPeople(broker),
      demoSignIn: demoSignIn(broker),
      ...signInHandlers(broker),
      verifyReceipt: verifyReceipt(broker, names, topUps),
      qrKeys: async () => ({ body: await broker.qrKeys.get() }),
    },
  };
}
