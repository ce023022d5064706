import type { BrokerContract } from "../../../src/contract/broker.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import type { Call, Reply } from "../../../src/contract/handler.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import type { BrokerContext } from "../broker-context.ts";
import type { MerchantPrincipal, RechargeSessionPrincipal } from "../principals/principal.ts";
import { rechargeAnswer } from "./recharge-answer.ts";
import { listRecharges, type RechargeList } from "./recharge-store.ts";

type Row = BrokerContract["recharges"];
type SellerCall = Call<Row, MerchantPrincipal | RechargeSessionPrincipal>;

const DEFAULT_LIMIT = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id that a page ended with, and back. */
function cursorOf(id: string): string {
  return Buffer.from(id).toString("base64url");
}

function idOf(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString();
  if (UUID.test(id)) return id;
  throw new ApiError("invalid_cursor", { detail: "The cursor is not valid: start from the first page." });
}

/** Which day and till the caller is shown: a till its own of today, a merchant's backend what it asks for. */
function scopeOf({ principal, query }: SellerCall, today: string): Pick<RechargeList, "day" | "till"> {
  const { day = today, till } = query;
  if (principal.kind === "merchant") return { day, till };
  const own = principal.till ?? "";
  if (day === today && (till ?? own) === own) return { day, till: own };
  throw new ApiError("not_allowed", { detail: "A till is shown its own top-ups of today: leave day and till out." });
}

/** Lists the top-ups of one business day, newest first. */
export function recharges(broker: BrokerContext): (call: SellerCall) => Promise<Reply<AnswerOf<Row>>> {
  const { sql, clock, time } = broker;
  return async (call) => {
    const { principal, query } = call;
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const before = query.cursor === undefined ? undefined : idOf(query.cursor);
    const scope = scopeOf(call, time.dayOf(clock()));
    const { merchantId } = principal;
    const rows = await listRecharges(sql, { ...scope, merchantId, limit: limit + 1, before });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { body: page.map((row) => rechargeAnswer(broker, row)), nextCursor: last && cursorOf(last.id) };
  };
}
