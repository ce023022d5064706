import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, type TestLedger } from "../../../test/support/a-ledger.ts";
import { aQrPayment, aRegistration, type TestEntity } from "../../../test/support/ledger.ts";

let ledger: TestLedger;
let entity: TestEntity;

beforeAll(async () => {
  ledger = await aLedger();
  entity = await ledger.anEntity();
});
afterAll(() => ledger.drop());

const DETAILS: Readonly<Record<string, string>> = {
  "a number's zeros": '{"n":1.10,"m":-0.0,"k":1E5,"l":1e+05}',
  "a number beyond a double": '{"n":12345678901234567890,"m":0.1000000000000000055,"k":1e400}',
  "the order of keys": '{"b":1,"a":2,"2":3,"1":4}',
  "a key twice": '{"a":1,"a":2}',
  "blanks inside": '{ "a" :\t[ 1 ,\n2 ] }',
  "unicode, plain and escaped": '{"ñ":"€ 😀 \\u00e9 \\ud83d\\ude00"}',
  "quotes, backslashes and commands": '{"a":"\\"\\\\\'; drop table service.users; --","b":"$1 $2 %s"}',
  "a broken half of a pair": '{"a":"\\ud800"}',
  "the escaped NUL": '{"a":"\\u0000"}',
  "the key __proto__": '{"__proto__":{"a":1}}',
  "500 levels": `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
  "16 KiB": `{"a":"${"x".repeat(16_376)}"}`,
};

describe("details, byte for byte", () => {
  it.each(Object.entries(DETAILS))("%s", async (_, details) => {
    const [payer, payee] = [await ledger.aUser(entity, 10n), await ledger.aUser(entity)];
    const qr = await ledger.aQr(payee, 1n, { details });
    const { id } = (await ledger.post(entity, aQrPayment(qr, payer.id, { details }))) as { id: string };
    expect(await ledger.sql`select details, qr_details from service.transactions where id = ${id}`).toEqual([
      { details, qr_details: details },
    ]);
    expect(await ledger.sql`select details from service.qr_reservations where reference = ${qr.reference}`).toEqual([
      { details },
    ]);
    const user = (await ledger.post(entity, aRegistration(0n, { paymentData: details }))) as { id: string };
    expect(await ledger.sql`select payment_data from service.users where id = ${user.id}`).toEqual([
      { payment_data: details },
    ]);
  });
});
