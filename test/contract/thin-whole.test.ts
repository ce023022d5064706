import { afterAll, beforeAll, expect, test } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";

let service: TestService;
let fintech: TestEntity;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
});
afterAll(() => service.stop());

test("a QR is made, paid once, and both see it", async () => {
  const { client } = fintech;
  const shop = await aUser(fintech, { name: "Café La Esquina" });
  const ana = await aUser(fintech, { name: "Ana Torres", quota: 500_000 });
  const { body: qr } = await client.createTransactionQr({
    body: { amount: 25_000, to_user_id: shop.id, details: { order: "1042" } },
  });
  const payment = { amount: 25_000, from_user_id: ana.id, to_user_id: shop.id, details: { qr: qr.payload } };
  const { body: paid, status } = await client.createTransaction({ body: payment });
  expect(status).toBe(201);
  expect(paid).toMatchObject({
    status: "approved",
    kind: "qr",
    reference: qr.reference,
    from_balance_after: 475_000,
    to_balance_after: 25_000,
    qr_details: { order: "1042" },
  });
  await expect(client.createTransaction({ body: payment })).rejects.toMatchObject({ code: "qr_already_paid" });
  const { body: found } = await client.findTransactionByReference({ query: { reference: qr.reference ?? "" } });
  expect(found).toEqual(paid);
  const { body: received } = await client.receivedPayments({ query: { "user-id": shop.id } });
  expect(received).toEqual([paid]);
  const { body: anaNow } = await client.user({ query: { id: ana.id } });
  expect(anaNow).toMatchObject({ quota: 475_000, quota_available: 475_000 });
});
