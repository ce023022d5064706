import { hash } from "node:crypto";
import type { SellingRequest } from "../../../../src/contract/broker/merchant-changes.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Tx } from "../../../database/connect.ts";
import { canonicalJson } from "../../../http/canonical-json.ts";
import { type BrokerContext, takeFromPersonLimit, toInstant } from "../../access/broker-context.ts";
import { findAskingMerchant } from "../../access/consent-store.ts";
import { holdPerson } from "../../access/hold-person.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { refuseNewDevice } from "../../access/refuse-new-device.ts";
import { changeKeysAnswer } from "../../merchants/change-answer.ts";
import {
  agreeAsUser,
  type ChangeRow,
  changesForUser,
  completeChange,
  endChange,
  isOpen,
  lockChange,
} from "../../merchants/change-store.ts";
import { requestOptions } from "./request-options.ts";
import { checkAssertion, keepUse } from "./verify-assertion.ts";

/**
 * Computes the challenge for the passkey that lets a merchant sell with its user's quota: SHA-256 over the request as
 * the person is shown it. So a signature is good for this merchant under this name with these keys alone and, by the
 * random bytes, for no later request.
 */
function sellingChallenge(row: ChangeRow): Uint8Array {
  const { id, merchant_id, merchant, user_id } = row;
  const asked = {
    ...{ id, merchant_id, merchant, user_id, operation: "sell_top_ups", server_keys: changeKeysAnswer(row) },
    random: Buffer.from(row.random).toString("base64url"),
    expires_at: toInstant(row.expires_at),
  };
  return hash("sha256", canonicalJson(asked), "buffer");
}

function nothingAsked(): ApiError {
  return new ApiError("not_found", { detail: "No merchant asks you that, or not any more." });
}

async function requestOf(broker: BrokerContext, row: ChangeRow, personId: string): Promise<SellingRequest> {
  const { id, merchant_id, merchant } = row;
  const asking = await findAskingMerchant(broker.sql, merchant_id);
  return {
    ...{ id, merchant_id, merchant, origins: [...(asking?.origins ?? [])] },
    server_keys: changeKeysAnswer(row),
    created_at: toInstant(row.created_at),
    expires_at: toInstant(row.expires_at),
    options: await requestOptions(broker, { personId, challenge: sellingChallenge(row) }),
  };
}

/**
 * Lists the selling requests that wait for the person's agreement: that a merchant's tills sell top-ups, which the
 * person's own quota pays for.
 */
export function mySellingRequests(broker: BrokerContext): GatedHandler<"person", "mySellingRequests"> {
  return async ({ principal }) => {
    const rows = await changesForUser(broker.sql, principal.userId, broker.clock());
    return { body: await Promise.all(rows.map((row) => requestOf(broker, row, principal.personId))) };
  };
}

/** Requires a request to this person that still waits for an answer; throws `not_found`. */
function ownRequest(row: ChangeRow | undefined, { userId }: PersonPrincipal, now: Date): ChangeRow {
  const isAsked = row !== undefined && row.user_id === userId && row.sells_top_ups && row.user_agreed_at === null;
  if (!isAsked || !isOpen(row, now)) throw nothingAsked();
  return row;
}

async function findOwn({ sql, clock }: BrokerContext, { userId }: PersonPrincipal, id: string): Promise<ChangeRow> {
  const row = (await changesForUser(sql, userId, clock())).find((one) => one.id === id);
  if (row === undefined) throw nothingAsked();
  return row;
}

/**
 * Records the person's agreement that a merchant's tills spend the person's quota on top-ups, by a passkey that signed
 * exactly this selling request, on a device that may pay. It takes effect once a second admin has agreed too.
 */
export function agreeToSelling(broker: BrokerContext): GatedHandler<"person", "agreeToSelling"> {
  const { sql, audit, clock, guardLimit } = broker;
  return async ({ principal, params, body, requestId }) => {
    const { personId } = principal;
    takeFromPersonLimit(guardLimit, principal, "selling");
    refuseNewDevice(principal.mayPayFrom, clock(), "pay");
    const seen = await findOwn(broker, principal, params.id);
    const challenge = sellingChallenge(seen);
    const assertion = await checkAssertion(broker, { personId, challenge, credential: body.credential });
    refuseNewDevice(assertion.passkey.mayPayFrom, clock(), "pay");
    await sql.begin("isolation level read committed", async (tx: Tx) => {
      await holdPerson(broker, tx, principal);
      const now = clock();
      const row = ownRequest(await lockChange(tx, params.id), principal, now);
      // Renamed since it was looked at: what was signed is not what is asked now.
      if (Buffer.compare(sellingChallenge(row), challenge) !== 0) throw nothingAsked();
      const { id: passkeyId } = await keepUse(tx, assertion, now);
      await agreeAsUser(tx, row.id, passkeyId, now);
      const { outcome } = await completeChange(tx, row.id, now);
      const facts = { merchant_id: row.merchant_id, passkey_id: passkeyId, done: outcome === "done" };
      await audit(tx, { requestId, principal, action: "agree to selling", subject: row.id, outcome: "agreed", facts });
    });
    return { body: { agreed: true } };
  };
}

/** Refuses a selling request for good; no passkey is needed to keep things as they are. */
export function refuseSelling({ sql, audit, clock }: BrokerContext): GatedHandler<"person", "refuseSelling"> {
  return async ({ principal, params, requestId }) => {
    await sql.begin("isolation level read committed", async (tx: Tx) => {
      const row = ownRequest(await lockChange(tx, params.id), principal, clock());
      await endChange(tx, row.id, "refused", clock());
      const facts = { merchant_id: row.merchant_id };
      await audit(tx, { requestId, principal, action: "refuse selling", subject: row.id, outcome: "refused", facts });
    });
    return { body: { refused: true } };
  };
}
