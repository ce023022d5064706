import { type KeyObject, sign } from "node:crypto";
import type { QrKeys } from "../../../src/contract/broker/broker-answers.ts";
import { type QrPublicKey, verifyQrPayload } from "../../../src/qr-payload.ts";
import type { Sql } from "../../database/connect.ts";
import { createSealer, type Sealer } from "../../database/sealer.ts";
import type { QrSigning } from "../shared/service-context.ts";
import { pollValue } from "./polled-value.ts";
import { isTokenKeyLive, privateKeyOf, publicKeyOf, type SigningKey, signingKeyAt } from "./signing-key.ts";
import { ensureSigningKey, readSigningKeys, SEAL_PURPOSES } from "./signing-key-store.ts";

/** The private key that signs now, and the id that goes with what it signs. */
interface Signer {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** A token key as a JWK Set has it (RFC 7517, RFC 8037 §2). */
interface TokenJwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly alg: "EdDSA";
  readonly use: "sig";
  readonly kid: string;
  readonly x: string;
}

/** The keys of payment QRs. `currentKeyId` and `sign` agree as long as nothing is awaited between them. */
interface QrSigningKeys extends QrSigning {
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** The keys that sign access tokens and payment QRs, the same in every process within a minute. */
export interface SigningKeys {
  tokenSigner(): Promise<Signer>;
  /** The public key of a token's `kid`; undefined when no token of it can be valid. */
  tokenKey(kid: string): Promise<KeyObject | undefined>;
  tokenJwks(): Promise<readonly TokenJwk[]>;
  /** The document of `/.well-known/cupo-qr-keys.json`. */
  qrKeys(guid: string): Promise<QrKeys>;
  readonly qr: QrSigningKeys;
}

/**
 * Options of {@link loadSigningKeys}: the database, the 32-byte service key, the clock and the source of randomness.
 */
export interface SigningKeysOptions {
  readonly sql: Sql;
  readonly key: Uint8Array;
  readonly clock: () => Date;
  readonly randomBytes: (length: number) => Uint8Array;
}

/** One snapshot of the table: it fixes the keys that sign until the next one, however the clock moves. */
interface Snapshot {
  readonly keys: readonly SigningKey[];
  readonly tokenSigner: Signer;
  readonly qrSigner: Signer;
}

/** Well below the lead of a rotation, so that every process signs with a new key from about the same time on. */
const POLL = { dueMs: 30_000, maxAgeMs: 50_000, retryMs: 1_000 } as const;

/**
 * Makes the signing keys that are missing and keeps a copy of all. Throws `SealError` when the service key is not the
 * one that sealed them.
 */
export async function loadSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const { sql, key, clock, randomBytes } = options;
  const sealer = createSealer(key, randomBytes);
  const publicKeys = new KeyCache(({ publicKey }) => publicKeyOf(publicKey));
  const privateKeys = new KeyCache((stored) => openPrivateKey(sealer, stored));
  for (const purpose of ["token", "qr"] as const) {
    await ensureSigningKey(sql, purpose, { sealer, randomBytes, now: clock() });
  }
  const snapshots = await pollValue({
    load: async () => snapshotOf(await readSigningKeys(sql), clock(), privateKeys),
    clock,
    ...POLL,
  });

  async function liveTokenKeys(): Promise<readonly SigningKey[]> {
    const now = clock();
    const { keys } = await snapshots.get();
    return keys.filter((stored) => stored.purpose === "token" && isTokenKeyLive(stored, now));
  }

  return {
    tokenSigner: async () => (await snapshots.get()).tokenSigner,
    async tokenKey(kid) {
      const snapshot = await snapshots.get();
      const known = findKey(snapshot, kid) ?? findKey(await snapshots.renew(), kid);
      if (known?.purpose !== "token" || !isTokenKeyLive(known, clock())) return undefined;
      return publicKeys.of(known);
    },
    tokenJwks: async () => (await liveTokenKeys()).map(tokenJwk),
    qrKeys: async (guid) => ({ guid, keys: publishedQrKeys(await snapshots.get()) }),
    qr: {
      currentKeyId: () => snapshots.peek().qrSigner.kid,
      sign: (bytes) => sign(null, bytes, snapshots.peek().qrSigner.privateKey),
      async verify(parsed, now) {
        const { keyId } = parsed.fields;
        const snapshot = await snapshots.get();
        const known = findKey(snapshot, keyId) === undefined ? await snapshots.renew() : snapshot;
        return await verifyQrPayload(parsed, verifyingQrKeys(known), Math.floor(now.getTime() / 1000));
      },
    },
  };
}

function snapshotOf(keys: readonly SigningKey[], now: Date, privateKeys: KeyCache): Snapshot {
  return {
    keys,
    tokenSigner: signerOf("token", keys, now, privateKeys),
    qrSigner: signerOf("qr", keys, now, privateKeys),
  };
}

function signerOf(
  purpose: SigningKey["purpose"],
  keys: readonly SigningKey[],
  now: Date,
  privateKeys: KeyCache,
): Signer {
  const current = signingKeyAt(keys, purpose, now);
  if (current === undefined) throw new Error(`the database has lost its ${purpose} signing key`);
  return { kid: current.kid, privateKey: privateKeys.of(current) };
}

function openPrivateKey(sealer: Sealer, { kid, purpose, sealedPrivateKey }: SigningKey): KeyObject {
  return privateKeyOf(sealer.open(SEAL_PURPOSES[purpose], kid, sealedPrivateKey));
}

/** Key objects by key id: making one costs more than a signature. Never more than there ever were keys. */
class KeyCache {
  readonly #made = new Map<string, KeyObject>();
  readonly #make: (stored: SigningKey) => KeyObject;

  constructor(make: (stored: SigningKey) => KeyObject) {
    this.#make = make;
  }

  of(stored: SigningKey): KeyObject {
    const known = this.#made.get(stored.kid);
    if (known !== undefined) return known;
    const made = this.#make(stored);
    this.#made.set(stored.kid, made);
    return made;
  }
}

function findKey({ keys }: Snapshot, kid: string): SigningKey | undefined {
  return keys.find((stored) => stored.kid === kid);
}

function tokenJwk({ kid, publicKey }: SigningKey): TokenJwk {
  const x = Buffer.from(publicKey).toString("base64url");
  return { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x };
}

function qrKeysOf({ keys }: Snapshot): readonly SigningKey[] {
  return keys.filter(({ purpose }) => purpose === "qr");
}

function publishedQrKeys(snapshot: Snapshot): QrKeys["keys"] {
  return qrKeysOf(snapshot).map(({ kid, publicKey, notBefore, notAfter, revokedAt }) => ({
    kid,
    key: Buffer.from(publicKey).toString("base64url"),
    not_before: notBefore.toISOString(),
    ...(notAfter === null ? {} : { not_after: notAfter.toISOString() }),
    ...(revokedAt === null ? {} : { revoked: true }),
  }));
}

function verifyingQrKeys(snapshot: Snapshot): readonly QrPublicKey[] {
  return qrKeysOf(snapshot).map(({ kid, publicKey, revokedAt }) => ({
    kid,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    revoked: revokedAt !== null,
  }));
}
