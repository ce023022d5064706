import { expect, test } from "vitest";
import { encodeQrPayload } from "../../src/qr-payload.ts";
import { attemptOf, hasExpired, isDraft } from "../store/draft.ts";
import { draftOf } from "./draft-of.ts";

const NOW = Date.UTC(2026, 2, 31, 19, 32);
const fields = {
  guid: "co.qp",
  payeeId: "01890a5d-ac96-774b-bcce-b302099a8057",
  payee: "Cafe La Candelaria",
  payeeNit: "900123456-7",
  city: "Bogota",
  currency: { numeric: "170", digits: 2 },
  keyId: "k1",
  purpose: "purchase",
} as const;
const known = { guid: "co.qp", id: "key", nowMs: NOW, payee: "Cafe L. C." };

async function payloadOf(change: object): Promise<string> {
  return (await encodeQrPayload({ ...fields, ...change }, () => new Uint8Array(64))).payload;
}

test("a draft says whom, how much and until when, and becomes one attempt with its own key", async () => {
  const expiresAt = NOW / 1_000 + 600;
  const payload = await payloadOf({ amountMinor: 2_500_000n, reference: "7K3M9QXT2V4FW", expiresAt });
  const draft = draftOf(payload, known);
  expect(draft).toEqual({
    id: "key",
    payload,
    payee: "Cafe L. C.",
    amount: 25_000,
    reference: "7K3M9QXT2V4FW",
    expiresAt,
    savedAt: new Date(NOW).toISOString(),
  });
  expect(draft && [hasExpired(draft, NOW + 599_999), hasExpired(draft, NOW + 600_000)]).toEqual([false, true]);
  expect(draft && attemptOf(draft)).toEqual({ key: "key", code: { payload } });
});

test("a code without an amount never expires, and what is no code of ours is no draft", async () => {
  const draft = draftOf(await payloadOf({}), known);
  expect(draft && [draft.amount, draft.reference, hasExpired(draft, Number.MAX_SAFE_INTEGER)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect(draftOf("00020126180014br.gov.bcb.pix", known)).toBeUndefined();
});

test("what is kept and damaged is no draft", async () => {
  const draft = draftOf(await payloadOf({}), known);
  expect([draft, null, 7, { ...draft, payee: 7 }, { ...draft, expiresAt: "soon" }].map(isDraft)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
