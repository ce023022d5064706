import type { Sql, Tx } from "../../database/connect.ts";
import type { Sealer, SealPurpose } from "../../database/sealer.ts";
import { type KeyPurpose, PRIVATE_KEY_BYTES, privateKeyOf, rawPublicKey, type SigningKey } from "./signing-key.ts";

/** The dependencies of making a signing key. */
export interface SigningKeyCreation {
  readonly sealer: Sealer;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly now: Date;
}

/** The purpose under which the private key of a signing key is sealed, by the use of the signing key. */
export const SEAL_PURPOSES = { token: "token-signing-key", qr: "qr-signing-key" } as const satisfies Record<
  KeyPurpose,
  SealPurpose
>;

/** Three bytes are four base64url characters: all that a payment QR has room for. */
const KID_BYTES = 3;
/** A key id that is taken is drawn again; several in a row mean a broken source of randomness. */
const DRAWS = 5;

/**
 * Milliseconds from a rotation to the new key's first signature: long enough for every process and every reader of the
 * published keys to have seen it.
 */
export const ROTATION_LEAD_MS = 600_000;

/** Reads every signing key that there ever was, revoked ones too, oldest first. */
export function readSigningKeys(sql: Sql | Tx): Promise<readonly SigningKey[]> {
  return sql<SigningKey[]>`
    select kid, purpose, public_key as "publicKey", sealed_private_key as "sealedPrivateKey",
      not_before as "notBefore", not_after as "notAfter", revoked_at as "revokedAt"
    from service.signing_keys
    order by not_before, kid`;
}

/**
 * Throws `SealError` unless the sealer opens every stored key that is not revoked: a new one, sealed with another
 * service key, would keep every process from signing.
 */
export async function assertOpens(sql: Sql | Tx, sealer: Sealer): Promise<void> {
  for (const { kid, purpose, sealedPrivateKey, revokedAt } of await readSigningKeys(sql)) {
    if (revokedAt === null) sealer.open(SEAL_PURPOSES[purpose], kid, sealedPrivateKey);
  }
}

/**
 * Returns the id of the signing key of a purpose that has no end yet; makes one, which signs from `notBefore` on, where
 * there is none. Several processes may do so at once: a unique index lets one of them win, and the others find its key.
 */
export async function ensureSigningKey(
  sql: Sql | Tx,
  purpose: KeyPurpose,
  making: SigningKeyCreation,
  notBefore: Date = making.now,
): Promise<string> {
  for (let draw = 0; draw <= DRAWS; draw += 1) {
    const found = await openEndedKey(sql, purpose);
    if (found !== undefined) return found.kid;
    if (draw < DRAWS) await insertKey(sql, purpose, notBefore, making);
  }
  throw new Error(`could not make a ${purpose} signing key: every key id that was drawn is taken`);
}

/**
 * Makes a key that signs from {@link ROTATION_LEAD_MS} after now on, when the present one stops signing. Called again
 * before that, it finds the key that already waits. Returns the new key's id.
 */
export async function rotateSigningKey(tx: Tx, purpose: KeyPurpose, making: SigningKeyCreation): Promise<string> {
  const handover = new Date(making.now.getTime() + ROTATION_LEAD_MS);
  await tx`
    update service.signing_keys set not_after = ${handover}
    where purpose = ${purpose} and not_after is null and not_before <= ${making.now}`;
  // A key without an end is left only if it waits already; two rotations at once take turns at the present one.
  return await ensureSigningKey(tx, purpose, making, handover);
}

/**
 * Revokes a signing key for good, for a private key that became known: nothing that it signed is valid any more. A key
 * that signs now is replaced at once. Returns true if there was such a key.
 */
export async function revokeSigningKey(tx: Tx, kid: string, making: SigningKeyCreation): Promise<boolean> {
  const [revoked] = await tx<{ purpose: KeyPurpose }[]>`
    update service.signing_keys
    set revoked_at = coalesce(revoked_at, ${making.now}), not_after = least(not_after, ${making.now})
    where kid = ${kid}
    returning purpose`;
  if (revoked === undefined) return false;
  await hastenWaitingKey(tx, revoked.purpose, making.now);
  await ensureSigningKey(tx, revoked.purpose, making);
  return true;
}

/** Where no key that is left signs now, the one that waits for its handover does. */
async function hastenWaitingKey(tx: Tx, purpose: KeyPurpose, now: Date): Promise<void> {
  await tx`
    update service.signing_keys set not_before = ${now}
    where purpose = ${purpose} and not_after is null and revoked_at is null and not_before > ${now}
      and not exists (
        select from service.signing_keys other
        where other.purpose = ${purpose} and other.revoked_at is null and other.not_before <= ${now}
          and other.not_after > ${now})`;
}

async function openEndedKey(sql: Sql | Tx, purpose: KeyPurpose): Promise<{ readonly kid: string } | undefined> {
  const [found] = await sql<{ kid: string }[]>`
    select kid from service.signing_keys where purpose = ${purpose} and not_after is null`;
  return found;
}

async function insertKey(
  sql: Sql | Tx,
  purpose: KeyPurpose,
  notBefore: Date,
  { sealer, randomBytes }: SigningKeyCreation,
): Promise<void> {
  const kid = Buffer.from(randomBytes(KID_BYTES)).toString("base64url");
  const seed = randomBytes(PRIVATE_KEY_BYTES);
  await sql`
    insert into service.signing_keys ${sql({
      kid,
      purpose,
      public_key: rawPublicKey(privateKeyOf(seed)),
      sealed_private_key: sealer.seal(SEAL_PURPOSES[purpose], kid, seed),
      not_before: notBefore,
    })}
    on conflict do nothing`;
}
