import { ApiError } from "../../../src/contract/errors.ts";
import { addressKey } from "../../http/client-address.ts";
import { type BrokerContext, invalidField, readAmount, takeFrom } from "../broker-context.ts";
import type { GatedHandler, Granted } from "../gate.ts";
import { merchantHasOrigin } from "../principals/merchant-keys.ts";
import { principalLabel } from "../principals/principal.ts";
import { findQuotaSubject, type QuotaSubject } from "./find-quota-subject.ts";
import { type SessionCall, type SessionReply, startOrFind, storeSession } from "./session-attempt.ts";
import { readLimits, refuseFieldFaults, type TillLimits } from "./session-fields.ts";
import { startPaySession } from "./start-pay-session.ts";

type Service = Granted<"merchant", "createSession">;
type Fields = (TillLimits & { readonly till: string | null }) | QuotaSubject;

/** Sessions without a code last so long; a till's is renewed by its merchant's backend. */
const LIFE_SECONDS = 15 * 60;

/** Starts a session that shows no code, or finds the one that the idempotency key has. */
function startTimedSession(broker: BrokerContext, call: SessionCall, service: Service, fields: Fields) {
  return startOrFind(broker, call, service, (attempt) => {
    const createdAt = broker.clock();
    const expiresAt = new Date(createdAt.getTime() + LIFE_SECONDS * 1000);
    const times = { created_at: createdAt, expires_at: expiresAt, expiresIn: LIFE_SECONDS };
    return storeSession(broker, call, attempt, { ...fields, ...times, id: broker.newId() });
  });
}

/** Refuses a session for pages that are none of the merchant's, whoever asks. */
async function refuseOrigin({ sql }: BrokerContext, { body, principal }: SessionCall): Promise<void> {
  if (await merchantHasOrigin(sql, principal.merchantId, body.origin)) return;
  throw new ApiError("not_allowed", { detail: "origin is not among those that the merchant listed." });
}

/** Refuses a till whose sales a merchant's user would pay for that nobody said are the merchant's to spend. */
function refuseSeller({ merchantId, sellsTopUps }: SessionCall["principal"]): void {
  if (sellsTopUps) return;
  const command = `npm run merchant -- change ${merchantId} --sells-top-ups`;
  throw new ApiError("not_allowed", {
    detail: `This merchant may not sell top-ups: an operator allows it by ${command}.`,
  });
}

/** Starts a widget session of any kind for a merchant's backend, or finds the one that the order or key has. */
export function createSession(broker: BrokerContext): GatedHandler<"merchant", "createSession"> {
  return async (call, service): Promise<SessionReply> => {
    const { body, principal } = call;
    refuseFieldFaults(body);
    takeFrom(broker.sessionLimit, principalLabel(principal));
    await refuseOrigin(broker, call);
    if (body.kind === "recharge") {
      refuseSeller(principal);
      const fields = { ...readLimits(broker, body), till: body.till ?? null };
      return startTimedSession(broker, call, service, fields);
    }
    if (body.kind === "quota") {
      return startTimedSession(
        broker,
        call,
        service,
        await findQuotaSubject(broker, principal.merchantId, body, service),
      );
    }
    readAmount(broker, body.amount ?? 0);
    return startPaySession(broker, call, service);
  };
}

/**
 * Starts a session for a page that knows only the publishable key: of kind pay, of an open amount up to the merchant's
 * limit where it has one, and for the page itself.
 */
export function createPageSession(broker: BrokerContext): GatedHandler<"publishable", "createSession"> {
  return async (call, service): Promise<SessionReply> => {
    const { body, principal, origin, address } = call;
    const refuse = (detail: string): ApiError => new ApiError("not_allowed", { detail });
    const { openAmountLimit } = principal;
    if (body.kind !== "pay" || openAmountLimit === undefined) {
      throw refuse("This merchant's backend starts sessions with its server key.");
    }
    // Whoever reads `order` later takes it for the merchant's own word, and the price for that order's.
    if (body.order !== undefined)
      throw invalidField("/order", "belongs to your backend: a page puts its own in details");
    refuseFieldFaults(body);
    if (readAmount(broker, body.amount ?? 0) > openAmountLimit) {
      throw refuse("The amount is over the merchant's limit.");
    }
    if (origin !== body.origin) throw refuse("origin must be that of the page itself.");
    await refuseOrigin(broker, call);
    // Last, and the visitor's own limit first: neither requests that start nothing nor one visitor shut the others out.
    takeFrom(broker.pageSessionLimit, addressKey(address));
    takeFrom(broker.sessionLimit, principalLabel(principal));
    return startPaySession(broker, call, service);
  };
}
