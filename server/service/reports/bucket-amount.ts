import { BUCKET_GROWTH } from "../../ledger/decide/roll-ups.ts";

/** How far a figure from a histogram may be from the true one, in basis points: half a bucket's width. */
export const PERCENTILE_ERROR_BPS = 200;

/** The amount in minor units that stands for a bucket of a histogram: its geometric middle; null for no bucket. */
export function bucketAmount(bucket: number | null): bigint | null {
  return bucket === null ? null : BigInt(Math.round(BUCKET_GROWTH ** (bucket - 0.5)));
}
