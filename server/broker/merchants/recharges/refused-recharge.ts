import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import { limitOf, limitText } from "../../upstream/resolve-outcome.ts";
import type { AttemptKey } from "./recharge-store.ts";

/** An attempt that was refused, so that it is never sold. */
interface RefusedRecharge {
  readonly fingerprint: Uint8Array;
  readonly refusal: ApiError;
}

interface Row {
  readonly fingerprint: Uint8Array;
  readonly code: ErrorCode;
  readonly detail: string | null;
  readonly exceeded_limit: string | null;
}

/**
 * Stores the refusal of an attempt to sell, which uses up the attempt's idempotency key; the caller holds the payer's
 * lock. It is kept as long as the look-up of the attempt.
 */
export async function keepRefusal(
  tx: Tx,
  { merchantId, key, fingerprint }: AttemptKey & Pick<RefusedRecharge, "fingerprint">,
  lookUpId: string,
  refusal: ApiError,
): Promise<void> {
  const { code, detail = null } = refusal;
  await tx`
    insert into broker.refused_recharges (merchant_id, attempt_key, fingerprint, look_up_id, code, detail,
      exceeded_limit)
    values (${merchantId}, ${key}, ${fingerprint}, ${lookUpId}, ${code}, ${detail}, ${limitText(refusal)})`;
}

/**
 * Finds the stored refusal of an attempt to sell: the fingerprint of the refused request, and the refusal as an error
 * that is marked as a replay.
 */
export async function findRefusal(
  sql: Sql | Tx,
  { merchantId, key }: AttemptKey,
): Promise<RefusedRecharge | undefined> {
  const [row] = await sql<Row[]>`
    select fingerprint, code, detail, exceeded_limit from broker.refused_recharges
    where merchant_id = ${merchantId} and attempt_key = ${key}`;
  if (row === undefined) return undefined;
  const { exceeded_limit: exceededLimit } = limitOf(row.exceeded_limit);
  const options = { ...(row.detail === null ? {} : { detail: row.detail }), ...(exceededLimit && { exceededLimit }) };
  return { fingerprint: row.fingerprint, refusal: new ApiError(row.code, { ...options, replayed: true }) };
}
