import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnsweredPayment, aLedger, type TestLedger, type TestUser } from "../../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aPayment } from "../../../test/support/ledger.ts";
import { currentPayeeTotals } from "../../../test/support/payment-faults.ts";
import type { Payment } from "../model/command.ts";
import type { SettleHold } from "../model/payment-commands.ts";
import type { Writer } from "../writer.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

/** Writers at noon of days of March 2026. */
const writers = new Map<string, Writer>();

function writerOf(day: string): Writer {
  const clock = () => new Date(`2026-03-${day}T12:00:00Z`);
  const writer = writers.get(day) ?? ledger.aWriter({ clock });
  writers.set(day, writer);
  return writer;
}

/** Holds one minor unit on a day of March 2026. */
async function hold(payer: TestUser, payee: TestUser, day: string, kind: Payment["kind"]): Promise<AnsweredPayment> {
  const asked = { kind, requestedStatus: "pending", holdExpiresAt: new Date("2026-05-01T00:00:00Z") } as const;
  const { body } = await writerOf(day).post(aCommand(anOrigin(payer.entity), aPayment(payer.id, payee.id, 1n, asked)));
  return body as AnsweredPayment;
}

function recorded({ id, fromUserId, toUserId }: AnsweredPayment) {
  const what = { transactionId: String(id), fromUserId: String(fromUserId), toUserId: String(toUserId) };
  return { ...what, qrReference: undefined };
}

function settlement(held: AnsweredPayment, status: SettleHold["status"]): SettleHold {
  return { type: "settle", ...recorded(held), status, amount: undefined, reference: `S${held.reference}` };
}

describe("payments that change after they were recorded", () => {
  it("keep each of their statuses, and count as paid, when they are settled and given back in one commit", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = [await ledger.aUser(entity, 10n), await ledger.aUser(entity)];
    const held = await hold(payer, payee, "10", "payment");
    const writer = writerOf("11");
    const refund = { type: "reverse", ...recorded(held), amount: undefined, details: "{}", reference: "R" } as const;
    await Promise.all([
      writer.post(aCommand(anOrigin(entity), settlement(held, "approved"))),
      writer.post(aCommand(anOrigin(entity), refund)),
    ]);
    expect(writer.figures.commits).toBe(1);
    const statuses = await ledger.sql`
      select sequence_number, status from service.transaction_statuses where transaction_id = ${held.id} order by 1`;
    expect([...statuses]).toEqual([
      { sequence_number: 1, status: "pending" },
      { sequence_number: 2, status: "approved" },
      { sequence_number: 3, status: "reversed" },
    ]);
    const totals = await ledger.sql`
      select first_settled_id, total, pending, approved, reversed from (${currentPayeeTotals(ledger.sql)}) totals
      where from_user_id = ${payer.id}`;
    expect([...totals]).toEqual([{ first_settled_id: held.id, total: "0", pending: 0n, approved: 0n, reversed: 1n }]);
  });

  it("never deadlock when processes of one slot change payments of many days of a month", async () => {
    const entity = await ledger.anEntity();
    const users = await Promise.all([1, 2, 3, 4].map(() => ledger.aUser(entity, 1_000n)));
    const [one, other, third, fourth] = users as [TestUser, TestUser, TestUser, TestUser];
    const rounds = Array.from({ length: 30 });
    const held = (from: TestUser, to: TestUser, decade: number, kinds: readonly Payment["kind"][]) =>
      Promise.all(rounds.map(() => Promise.all(kinds.map((kind, day) => hold(from, to, `${decade}${day}`, kind)))));
    const first = await held(one, other, 1, ["recharge", "recharge", "payment", "qr"]);
    const second = await held(third, fourth, 2, ["qr", "payment", "payment", "recharge"]);

    const release = async (writer: Writer, all: readonly (readonly AnsweredPayment[])[]): Promise<void> => {
      for (const round of all) {
        await Promise.all(round.map((each) => writer.post(aCommand(anOrigin(entity), settlement(each, "rejected")))));
      }
    };
    const clock = () => new Date("2026-04-02T12:00:00Z");
    const rivals = [ledger.aWriter({ clock, slot: 1 }), ledger.aWriter({ clock, slot: 1 })] as const;
    await Promise.all([release(rivals[0], first), release(rivals[1], second)]);
    // A deadlock would have been tried again.
    expect(rivals.map(({ figures }) => figures.retries)).toEqual([0, 0]);
    const [counted] = await ledger.sql`
      select sum(count) as count from service.transaction_days
      where entity_id = ${entity.id} and event = 'released'`;
    expect(counted).toEqual({ count: "240" });
  });
});
