import type { BrokerContract } from "../../../src/contract/broker.ts";
import type { Call } from "../../../src/contract/handler.ts";
import type { BrokerContext } from "../broker-context.ts";
import type { Granted } from "../gate.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { hasPaidBefore, type NewApproval } from "./approval-store.ts";

/** A person asks to open an approval. */
export type OpenCall = Call<BrokerContract["openApproval"], PersonPrincipal>;
/** The part of the service that tells what is about to be approved. */
export type OpeningService = Granted<"person", "openApproval">;

type Fact = "operation" | "payee_id" | "payee" | "first_time_payee" | "amount" | "currency" | "look_up_id";
/** What is about to be approved, as the service knows it. */
export type WhatIsApproved = Pick<NewApproval, Fact | "reference" | "check_code" | "payload" | "reverses">;

/** Whether the person has paid that payee nothing so far, here or elsewhere, and sent nothing here. */
export async function isFirstTime(
  broker: BrokerContext,
  service: OpeningService,
  userId: string,
  payeeId: string,
): Promise<boolean> {
  if (await hasPaidBefore(broker.sql, userId, payeeId)) return false;
  const { body } = await service.transactionHistory({});
  // Whoever was given money back has not been paid for that.
  return !body.some((payment) => payment.to_user_id === payeeId && payment.kind !== "refund");
}
