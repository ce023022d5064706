import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asOperator } from "../../../test/support/as-operator.ts";
import { aBroker, type TestBroker } from "../../../test/support/broker.ts";
import { forgetOperatorAnswers } from "./write-idempotently.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

it("an operator's request is known again for 30 days, and what was answered is not kept for longer", async () => {
  const admin = await asOperator(broker);
  const idempotencyKey = v7();
  const body = { name: "La Tienda", user_id: broker.shop.id, origins: [] };
  const make = async () => (await admin.createMerchant({ body }, { idempotencyKey })).body.id;
  const made = await make();
  const inDays = (days: number) => new Date(broker.options.clock().getTime() + days * DAY_MS);
  await forgetOperatorAnswers(broker.sql, inDays(29));
  expect(await make()).toBe(made);
  await forgetOperatorAnswers(broker.sql, inDays(31));
  expect(await broker.sql`select from broker.operator_answers`).toEqual([]);
  expect(await make()).not.toBe(made);
});
