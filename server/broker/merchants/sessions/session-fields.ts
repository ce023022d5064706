import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError, type Fault } from "../../../../src/contract/shared/errors.ts";
import type { BodyOf } from "../../../../src/contract/shared/operation.ts";
import { type BrokerContext, invalidField, readAmount } from "../../access/broker-context.ts";

/** The body of a request for a session. */
export type SessionBody = BodyOf<BrokerContract["createSession"]>;
type Kind = SessionBody["kind"];

/** The one kind that has a field; fields of all kinds are not here. */
const FIELD_KINDS: Readonly<Partial<Record<keyof SessionBody, Kind>>> = Object.freeze({
  amount: "pay",
  order: "pay",
  replace: "pay",
  details: "pay",
  expires_in: "pay",
  return_url: "pay",
  max_amount: "recharge",
  max_total: "recharge",
  till: "recharge",
  user: "quota",
  grant: "quota",
});

/** Faults of fields that a kind cannot do without. */
function missingFields({
  kind,
  amount,
  order,
  replace,
  max_amount,
  max_total,
  user,
  grant,
}: SessionBody): readonly Fault[] {
  if (kind === "pay" && amount === undefined) return [{ pointer: "/amount", detail: "is required for kind pay" }];
  if (replace === true && order === undefined)
    return [{ pointer: "/replace", detail: "ends the open session of an order: send order too" }];
  if (kind === "recharge" && max_amount === undefined && max_total === undefined) {
    return [{ pointer: "/max_amount", detail: "is required for kind recharge, unless max_total is sent" }];
  }
  if (kind !== "quota" || (user === undefined) !== (grant === undefined)) return [];
  if (user === undefined) return [{ pointer: "/user", detail: "is required for kind quota, unless grant is sent" }];
  return [{ pointer: "/grant", detail: "says whose quota it is by itself: send either user or grant" }];
}

/**
 * Throws `invalid_request` for a session's body that lacks a field that its kind needs, or has a field of another kind.
 */
export function refuseFieldFaults(body: SessionBody): void {
  const foreign = Object.entries(FIELD_KINDS).filter(
    ([name, kind]) => body[name as keyof SessionBody] !== undefined && body.kind !== kind,
  );
  const faults = [
    ...missingFields(body),
    ...foreign.map(([name, kind]) => ({ pointer: `/${name}`, detail: `belongs to kind ${kind}` })),
  ];
  if (faults.length > 0) throw new ApiError("invalid_request", { detail: "See errors for each fault.", faults });
}

/** The limits of a till's session, of one top-up and of all together, in minor units; null where there is none. */
export interface TillLimits {
  readonly max_amount: bigint | null;
  readonly max_total: bigint | null;
}

/** Reads the limits of a till's session from its body; throws where that of all top-ups is below that of one. */
export function readLimits(broker: BrokerContext, body: SessionBody): TillLimits {
  const read = (amount: number | undefined, pointer: string): bigint | null =>
    amount === undefined ? null : readAmount(broker, amount, pointer);
  const limits = {
    max_amount: read(body.max_amount, "/max_amount"),
    max_total: read(body.max_total, "/max_total"),
  };
  const { max_amount: one, max_total: all } = limits;
  if (one !== null && all !== null && all < one) {
    throw invalidField("/max_total", "must be at least max_amount: leave one of the two out, or raise it");
  }
  return limits;
}
