import Check from "lucide-static/dist/esm/icons/check.mjs";
import CircleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import Clock from "lucide-static/dist/esm/icons/clock.mjs";
import Undo from "lucide-static/dist/esm/icons/undo-2.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import type { ReceiptsWords } from "../../src/language/tables/app.ts";

/** A movement's state as it is shown: a word, an icon and a tone, because colour alone must not carry it. */
export interface ReceiptState {
  readonly word: string;
  readonly icon: string;
  readonly tone: "good" | "warn" | "bad" | "soft";
}

/** Fields that determine a movement's state. */
type StateFields = Pick<Movement, "amount" | "kind" | "reversed_amount" | "status">;

/** Returns if none, a part (`partly`) or the whole of a payment was refunded. */
export function refundOf({ amount, reversed_amount: refunded = 0, status }: StateFields): "none" | "partly" | "whole" {
  if (status === "reversed" || refunded >= amount) return "whole";
  return refunded > 0 ? "partly" : "none";
}

/** Returns the amount of a received payment that can still be refunded; 0 for any other movement. */
export function refundableOf(movement: StateFields & Pick<Movement, "direction">): number {
  const { amount, direction, kind, reversed_amount: refunded = 0, status } = movement;
  if (direction !== "received" || status !== "approved" || kind === "refund" || kind === "transfer") return 0;
  // In hundredths, so that no floating-point residue is left.
  return (Math.round(amount * 100) - Math.round(refunded * 100)) / 100;
}

/** Returns the word, icon and colour of a movement's state. */
export function receiptState(movement: StateFields & Pick<Movement, "direction">, words: ReceiptsWords): ReceiptState {
  const { state } = words.receipt;
  if (movement.status === "rejected") return { word: state.rejected, icon: CircleX, tone: "bad" };
  if (movement.status === "pending") return { word: state.pending, icon: Clock, tone: "warn" };
  const refund = refundOf(movement);
  if (refund === "whole") return { word: state.reversed, icon: Undo, tone: "soft" };
  if (refund === "partly") return { word: state.partly, icon: Undo, tone: "warn" };
  if (movement.direction === "received") return { word: state.received, icon: Check, tone: "good" };
  const isPayment = movement.kind !== "refund" && movement.kind !== "transfer";
  return { word: isPayment ? state.paid : state.sent, icon: Check, tone: "good" };
}
