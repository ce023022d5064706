import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { QrKeys } from "../../../src/contract/broker/broker-answers.ts";
import { faultsOf } from "../../../src/contract/shared/validate.ts";
import { type CupoQrPayload, encodeQrPayload, parseQrPayload } from "../../../src/qr-payload.ts";
import { aTokenFixture, type TokenFixture } from "../../../test/support/token-fixture.ts";
import { createSealer, SealError } from "../../database/sealer.ts";
import type { KeyPurpose } from "./signing-key.ts";
import { ensureSigningKey, ROTATION_LEAD_MS, revokeSigningKey, rotateSigningKey } from "./signing-key-store.ts";
import { loadSigningKeys, type SigningKeys } from "./signing-keys.ts";

let fixture: TokenFixture;
beforeEach(async () => {
  fixture = await aTokenFixture();
});
afterEach(() => fixture.drop());

const load = (key = fixture.key): Promise<SigningKeys> => loadSigningKeys({ ...fixture, key, randomBytes });
const making = () => ({ sealer: createSealer(fixture.key, randomBytes), randomBytes, now: fixture.clock() });
const rotate = (purpose: KeyPurpose) => fixture.sql.begin((tx) => rotateSigningKey(tx, purpose, making()));
const revoke = (kid: string) => fixture.sql.begin((tx) => revokeSigningKey(tx, kid, making()));

/** A code as a customer's phone reads it. */
async function aCode({ qr }: SigningKeys): Promise<CupoQrPayload> {
  const fields = {
    guid: "co.qp",
    payeeId: "01890a5d-ac96-774b-bcce-b302099a8057",
    payee: "Cafe Sol",
    payeeNit: "900123456",
    city: "Bogota",
    currency: { numeric: "170", digits: 2 },
    keyId: qr.currentKeyId(),
    purpose: "purchase",
  } as const;
  const { payload } = await encodeQrPayload(fields, qr.sign);
  const parsed = parseQrPayload(payload, "co.qp");
  if (parsed.kind !== "cupo") throw new Error(`made a code that reads as ${parsed.kind}`);
  return parsed;
}

const authenticity = async (keys: SigningKeys, code: CupoQrPayload) =>
  (await keys.qr.verify(code, fixture.clock())).authenticity;

describe("signing keys", () => {
  it("are one of each purpose when four processes start at once, and all sign with it", async () => {
    const processes = await Promise.all([load(), load(), load(), load()]);
    const rows = await fixture.sql`select purpose from service.signing_keys order by purpose`;
    expect(rows.map(({ purpose }) => purpose)).toEqual(["qr", "token"]);
    expect(new Set(processes.map(({ qr }) => qr.currentKeyId())).size).toBe(1);
    const signers = await Promise.all(processes.map((keys) => keys.tokenSigner()));
    expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1);
    const [first, second] = processes;
    if (first === undefined || second === undefined) throw new Error("no processes");
    expect(await authenticity(second, await aCode(first))).toBe("authentic");
  });

  it("are the same after a restart", async () => {
    const code = await aCode(await load());
    const again = await load();
    expect(again.qr.currentKeyId()).toBe(code.fields.keyId);
    expect(await authenticity(again, code)).toBe("authentic");
  });

  it("stop the start with another CUPO_KEY, in one sentence that says what to do", async () => {
    await load();
    await expect(load(randomBytes(32))).rejects.toThrow(SealError);
    await expect(load(randomBytes(32))).rejects.toThrow(/CUPO_KEY/);
    expect(await fixture.sql`select kid from service.signing_keys`).toHaveLength(2);
  });

  it("are drawn again when an id is taken, and given up when every draw is", async () => {
    await load();
    const [qr] = await fixture.sql<{ kid: string }[]>`select kid from service.signing_keys where purpose = 'qr'`;
    await fixture.sql`update service.signing_keys set not_after = now() where purpose = 'qr'`;
    const taken = Buffer.from(qr?.kid ?? "", "base64url");
    let draws = 0;
    const twice = (length: number) => (length === 3 && ++draws <= 2 ? taken : randomBytes(length));
    const kid = await ensureSigningKey(fixture.sql, "qr", { ...making(), randomBytes: twice });
    expect(kid).not.toBe(qr?.kid);
    await fixture.sql`update service.signing_keys set not_after = now() where purpose = 'qr'`;
    const always = (length: number) => (length === 3 ? taken : randomBytes(length));
    await expect(ensureSigningKey(fixture.sql, "qr", { ...making(), randomBytes: always })).rejects.toThrow("taken");
  });

  it("sign codes that verify offline with the published document, and no altered one", async () => {
    const keys = await load();
    const code = await aCode(keys);
    const document = await keys.qrKeys("co.qp");
    expect(faultsOf(QrKeys, document)).toEqual([]);
    expect(document).toMatchObject({ guid: "co.qp", keys: [{ kid: code.fields.keyId }] });
    expect(code.fields.keyId).toMatch(/^[\w-]{1,4}$/);
    expect(Buffer.from(document.keys[0]?.key ?? "", "base64url")).toHaveLength(32);
    expect(await authenticity(keys, code)).toBe("authentic");
    expect(await authenticity(keys, { ...code, signedPart: `${code.signedPart} ` })).toBe("forged");
    const foreign = { ...code, fields: { ...code.fields, keyId: "zzzz" } };
    expect(await authenticity(keys, foreign)).toBe("unknown_key");
  });
});

describe("rotation", () => {
  it("hands over after a lead, in which both keys are published and the old one signs", async () => {
    const keys = await load();
    const { kid: before } = await keys.tokenSigner();
    const next = await rotate("token");
    fixture.clock.advance(61);
    expect((await keys.tokenSigner()).kid).toBe(before);
    expect((await keys.tokenJwks()).map(({ kid }) => kid)).toEqual([before, next]);
    fixture.clock.advance(ROTATION_LEAD_MS / 1000);
    expect((await keys.tokenSigner()).kid).toBe(next);
  });

  it("keeps a retired token key until its last token has expired, and a QR key for ever", async () => {
    const keys = await load();
    const code = await aCode(keys);
    const { kid: old } = await keys.tokenSigner();
    await rotate("token");
    await rotate("qr");
    fixture.clock.advance(ROTATION_LEAD_MS / 1000 + 3600);
    expect(await keys.tokenKey(old)).toBeDefined();
    fixture.clock.advance(301);
    expect(await keys.tokenKey(old)).toBeUndefined();
    expect((await keys.tokenJwks()).map(({ kid }) => kid)).not.toContain(old);
    fixture.clock.advance(10 * 365 * 86_400);
    expect(await authenticity(keys, code)).toBe("authentic");
    expect((await keys.qrKeys("co.qp")).keys).toHaveLength(2);
    expect(keys.qr.currentKeyId()).not.toBe(code.fields.keyId);
  });

  it("started several times at once, or again before the handover, makes one key", async () => {
    await load();
    const made = await Promise.all([rotate("qr"), rotate("qr"), rotate("qr"), rotate("qr")]);
    fixture.clock.advance(30);
    expect(new Set([...made, await rotate("qr")]).size).toBe(1);
    expect(await fixture.sql`select kid from service.signing_keys where purpose = 'qr'`).toHaveLength(2);
  });
});

describe("revocation", () => {
  it("replaces a signing key at once; what it signed is no longer known, and says so in the document", async () => {
    const [here, there] = await Promise.all([load(), load()]);
    const code = await aCode(here);
    expect(await revoke(code.fields.keyId)).toBe(true);
    fixture.clock.advance(60);
    expect(await authenticity(here, code)).toBe("unknown_key");
    const fresh = await aCode(here);
    expect(fresh.fields.keyId).not.toBe(code.fields.keyId);
    expect(await authenticity(there, fresh)).toBe("authentic");
    const { keys } = await here.qrKeys("co.qp");
    expect(keys.filter(({ revoked }) => revoked).map(({ kid }) => kid)).toEqual([code.fields.keyId]);
  });

  it("lets the key that waits for its handover sign at once", async () => {
    const keys = await load();
    const { kid: old } = await keys.tokenSigner();
    const next = await rotate("token");
    await revoke(old);
    fixture.clock.advance(60);
    expect((await keys.tokenSigner()).kid).toBe(next);
    expect(await keys.tokenKey(old)).toBeUndefined();
  });

  it("of a retired or waiting key leaves the one that signs alone, and of no key says so", async () => {
    const keys = await load();
    const retired = keys.qr.currentKeyId();
    const current = await rotate("qr");
    fixture.clock.advance(ROTATION_LEAD_MS / 1000);
    await revoke(retired);
    await keys.qrKeys("co.qp");
    expect(keys.qr.currentKeyId()).toBe(current);
    expect(await revoke("none")).toBe(false);
    expect(await fixture.sql`select kid from service.signing_keys where purpose = 'qr'`).toHaveLength(2);
  });
});

describe("several processes", () => {
  it("verify with a key that another made a moment ago, and ask for unknown ones once a second at most", async () => {
    const there = await load();
    fixture.clock.advance(2);
    await revoke((await there.tokenSigner()).kid);
    const { kid } = await (await load()).tokenSigner();
    expect(await there.tokenKey(kid)).toBeDefined();
    const before = fixture.reads();
    for (let index = 0; index < 50; index += 1) expect(await there.tokenKey(`no-${index}`)).toBeUndefined();
    expect(fixture.reads() - before).toBeLessThanOrEqual(1);
  });
});
