import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { businessTime } from "../../src/business-time.ts";
import { commandSettings } from "../../test/support/command-settings.ts";
import { aService, aUser, type TestService } from "../../test/support/service.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { startServiceTasks } from "./service-tasks.ts";

const HOUR_MS = 3_600_000;
const FOLD_EVERY_MS = 5_000;

let service: TestService;

beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.stop());

it("payments are added to the totals of their payees within seconds after no earlier one can come", async () => {
  const fintech = await service.anEntity();
  const [payer, shop] = [await aUser(fintech, { quota: 9 }), await aUser(fintech)];
  await fintech.client.createTransaction({ body: { amount: 2, from_user_id: payer.id, to_user_id: shop.id } });
  const { sql, ledger, clock, clockWatch } = service;
  const time = businessTime("America/Bogota");
  const { currency } = commandSettings;
  const random = (length: number) => randomBytes(length);
  const changesFrom = async () => new Date(clock().getTime() + HOUR_MS);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const shared = { sql, ledger, clock, clockWatch, time, currency, random, changesFrom };
  const tasks = startServiceTasks({ ...shared, log: silentLog });
  try {
    const totals = () => sql`select total from service.payee_totals where from_user_id = ${payer.id}`;
    expect(await totals()).toEqual([]);
    vi.advanceTimersByTime(FOLD_EVERY_MS);
    await vi.waitFor(async () => expect(await totals()).toEqual([{ total: "200" }]), { timeout: 10_000 });
  } finally {
    vi.useRealTimers();
    await tasks.stop();
  }
});
