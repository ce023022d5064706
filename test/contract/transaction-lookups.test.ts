import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/contract/service/transactions.ts";
import { formatPaymentReference } from "../../src/payment-reference.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, problemOf, type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

const UNKNOWN = "7K3M9QXT2V4FW";

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let payer: string;
let payee: string;
let paid: Transaction;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  [payer, payee] = [(await aUser(fintech, { quota: 1_000 })).id, (await aUser(fintech)).id];
  const body = { amount: 10, from_user_id: payer, to_user_id: payee };
  // A reference whose letters people mistake for digits, or the other way about.
  do paid = (await fintech.client.createTransaction({ body })).body;
  while (!/[01]/.test(paid.reference));
});
afterAll(() => service.stop());

describe("transaction", () => {
  it("gives the record as it was answered, by its id in either case", async () => {
    expect((await fintech.client.transaction({ query: { id: paid.id } })).body).toEqual(paid);
    expect((await fintech.client.transaction({ query: { id: paid.id.toUpperCase() } })).body).toEqual(paid);
  });

  it("has a tag, and is 304 while unchanged", async () => {
    const { etag = "" } = await fintech.client.transaction({ query: { id: paid.id } });
    expect(etag).toMatch(/^"/);
    expect((await fintech.client.transaction({ query: { id: paid.id } }, { etag })).status).toBe(304);
  });

  it("is 404 for an id that no record has, a user's too, and 400 for what is no id", async () => {
    for (const id of [NOBODY, payer]) {
      expect(await refusalOf(await raw("transaction", { query: { id } }))).toEqual(["transaction_not_found"]);
    }
    for (const id of ["", "1", `${paid.id} `, `{${paid.id}}`, paid.id.replaceAll("-", "")]) {
      expect(await refusalOf(await raw("transaction", { query: { id } }))).toEqual(["invalid_request", "id"]);
    }
    expect(await refusalOf(await raw("transaction", {}))).toEqual(["invalid_request", "id"]);
  });
});

describe("find-transaction-by-reference", () => {
  const forms: readonly (readonly [string, (reference: string) => string])[] = [
    ["as it was answered", (reference) => reference],
    ["in groups of four", formatPaymentReference],
    ["in small letters", (reference) => reference.toLowerCase()],
    ["with O for zero", (reference) => reference.replaceAll("0", "O")],
    ["with small o for zero", (reference) => reference.replaceAll("0", "o")],
    ["with I for one", (reference) => reference.replaceAll("1", "I")],
    ["with l for one", (reference) => reference.replaceAll("1", "l")],
    ["with spaces around and within", (reference) => ` ${reference.slice(0, 5)} ${reference.slice(5)} `],
    ["with the dashes that phones write", (reference) => formatPaymentReference(reference).replaceAll("-", "–")],
  ];
  it.each(forms)("reads a reference %s", async (_, typed) => {
    const { body } = await fintech.client.findTransactionByReference({ query: { reference: typed(paid.reference) } });
    expect(body).toEqual(paid);
  });

  it("says that a wrong character or two that changed places are mistyped, not unknown", async () => {
    const { reference } = paid;
    const wrong = reference.startsWith("A") ? `B${reference.slice(1)}` : `A${reference.slice(1)}`;
    const at = [...reference].findIndex((character, index) => character !== reference[index + 1]);
    const swapped = `${reference.slice(0, at)}${reference[at + 1]}${reference[at]}${reference.slice(at + 2)}`;
    for (const typed of [wrong, swapped, reference.slice(1), `${reference}0`, "", "hello", "U".repeat(13)]) {
      const response = await raw("findTransactionByReference", { query: { reference: typed } });
      const { code, errors } = await problemOf(response);
      expect([response.status, code, errors?.[0]?.parameter]).toEqual([400, "invalid_request", "reference"]);
      expect(errors?.[0]?.detail).toMatch(/mistyped/);
    }
  });

  it("is 404 for a reference that nothing has", async () => {
    const response = await raw("findTransactionByReference", { query: { reference: UNKNOWN } });
    expect(await refusalOf(response)).toEqual(["transaction_not_found"]);
  });

  it("says how a QR stands whose reference nobody has paid", async () => {
    const make = async (expires_in: number) =>
      (await fintech.client.createTransactionQr({ body: { amount: 5, to_user_id: payee, expires_in } })).body;
    const [short, cancelled] = [await make(30), await make(900)];
    await fintech.client.cancelTransactionQr({ body: { reference: cancelled.reference ?? "" } });
    const ask = async ({ reference = "" }: { reference?: string | undefined }) =>
      refusalOf(await raw("findTransactionByReference", { query: { reference } }));
    expect(await ask(short)).toEqual(["reference_unpaid"]);
    expect(await ask(cancelled)).toEqual(["reference_cancelled"]);
    service.advance(31);
    expect(await ask(short)).toEqual(["reference_expired"]);
    expect(await ask(cancelled)).toEqual(["reference_cancelled"]);
  });
});
