import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call, Reply } from "../../../../src/contract/shared/handler.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import { readPage } from "../../../shared/page.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { MerchantPrincipal, RechargeSessionPrincipal } from "../../access/principal.ts";
import { rechargeAnswer } from "./recharge-answer.ts";
import { listRecharges, type RechargeList } from "./recharge-store.ts";

type Row = BrokerContract["recharges"];
type SellerCall = Call<Row, MerchantPrincipal | RechargeSessionPrincipal>;

/** Determines the day and till to list: a till's own of today, or those that a merchant's backend asks for. */
function scopeOf({ principal, query }: SellerCall, today: string): Pick<RechargeList, "day" | "till"> {
  const { day = today, till } = query;
  if (principal.kind === "merchant") return { day, till };
  const own = principal.till ?? "";
  if (day === today && (till ?? own) === own) return { day, till: own };
  throw new ApiError("not_allowed", { detail: "A till is shown its own top-ups of today: leave day and till out." });
}

/**
 * Lists the top-ups of one business day, newest first: to a merchant's backend those of all its tills or of one, to a
 * till its own of today.
 */
export function recharges(broker: BrokerContext): (call: SellerCall) => Promise<Reply<AnswerOf<Row>>> {
  const { sql, clock, time } = broker;
  return async (call) => {
    const { principal, query } = call;
    const scope = { ...scopeOf(call, time.dayOf(clock())), merchantId: principal.merchantId };
    const { rows, nextCursor } = await readPage(query, (part) => listRecharges(sql, { ...scope, ...part }));
    return { body: rows.map((row) => rechargeAnswer(broker, row)), nextCursor };
  };
}
