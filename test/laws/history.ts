import fc from "fast-check";
import type { Command, Payment } from "../../server/ledger/model/command.ts";
import type { ReserveQr } from "../../server/ledger/model/qr-commands.ts";
import { MAX_AMOUNT_MINOR } from "../../src/money.ts";
import {
  aBatch,
  aCancellation,
  aCommand,
  aGrant,
  anOrigin,
  aPayment,
  aQrPayment,
  aRefusal,
  aRegistration,
  aRemember,
  aReservation,
  aTransfer,
  NOW,
} from "../support/ledger.ts";
import { type LedgerFixture, ledgerFixture } from "../support/ledger-fixture.ts";
import { aChangeStep, ENTITIES, type Step } from "./change-steps.ts";
import { HELD_QR, RECORDED, withRecordedPayments } from "./recorded-payments.ts";

/** A ledger, and its commands in order. */
export interface History {
  readonly fixture: LedgerFixture;
  readonly commands: readonly Command[];
}

/** A name that belongs to nobody. */
export const WRONG_NAME = "Nobody";

const BALANCES = [500n, 0n, MAX_AMOUNT_MINOR, 1_000n, MAX_AMOUNT_MINOR - 300n];
const QR_COUNT = 3;

const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt(1n, 400n) },
  { weight: 1, arbitrary: fc.bigInt(1n, MAX_AMOUNT_MINOR) },
  { weight: 1, arbitrary: fc.constantFrom(MAX_AMOUNT_MINOR, MAX_AMOUNT_MINOR - 300n) },
);
const party = fc.nat(BALANCES.length - 1);
const seldom = fc.nat(9).map((draw) => draw === 0);
const name = fc.constantFrom("none", "none", "none", "own", "business", "wrong");
const reference = fc.uuid();

type NameChoice = "none" | "own" | "business" | "wrong";

/** Another way to write a user's name, or a wrong one. */
function nameOf(fixture: LedgerFixture, index: number, choice: string): string | undefined {
  const user = fixture.users[index];
  const names: Record<NameChoice, string | undefined> = {
    none: undefined,
    own: user?.name.replace("ñ", "n").toUpperCase(),
    business: user?.businessName?.replace("é", "e\u0301").replace(" ", "  ") ?? undefined,
    wrong: WRONG_NAME,
  };
  return names[choice as NameChoice];
}

const requestedStatus = fc.constantFrom("approved", "approved", "approved", "approved", "pending", "rejected");

/** Returns the status that a payment requests, with an expiry if it is a hold. */
function asked(status: string): Partial<Payment> {
  const isHold = status === "pending";
  const holdExpiresAt = isHold ? new Date(NOW.getTime() + 86_400_000) : undefined;
  return { requestedStatus: status as Payment["requestedStatus"], holdExpiresAt };
}

const idOf = (fixture: LedgerFixture, index: number): string => fixture.users[index]?.id ?? "";
const creatorOf = (index: number): number => index % ENTITIES;

const aPaymentStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc
    .record({ from: party, step: fc.integer({ min: 1, max: BALANCES.length - 1 }), amount, name, reference })
    .chain(({ from, step, ...drawn }) =>
      fc.record({ isForeign: seldom, status: requestedStatus, isStatic: seldom, toName: name }).map((how): Step => {
        const to = (from + step) % BALANCES.length;
        const more: Partial<Payment> = {
          reference: drawn.reference,
          ...asked(how.status),
          fromName: nameOf(fixture, from, drawn.name),
          toName: nameOf(fixture, to, how.toName),
          qr: how.isStatic ? { reference: undefined, payeeId: idOf(fixture, to), amount: undefined } : undefined,
        };
        const action = aPayment(idOf(fixture, from), idOf(fixture, to), drawn.amount, more);
        return { asker: creatorOf(from) + (how.isForeign ? 1 : 0), action };
      }),
    );

/** Up to five payments from one payer: a payee comes again, the balance ends midway, or a payee becomes full. */
const aBatchStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc
    .record({
      from: party,
      items: fc.array(
        fc.record({
          step: fc.integer({ min: 1, max: BALANCES.length - 1 }),
          amount: fc.oneof({ weight: 6, arbitrary: fc.bigInt(1n, 250n) }, amount),
          toName: fc.oneof({ weight: 9, arbitrary: fc.constant("none") }, name),
          reference,
        }),
        { minLength: 1, maxLength: 5 },
      ),
      name,
      isForeign: seldom,
    })
    .map(({ from, items, isForeign, ...drawn }): Step => {
      const whole = items.map(({ step, toName, ...item }, index) => {
        const to = (from + step) % BALANCES.length;
        return { ...item, toUserId: idOf(fixture, to), toName: nameOf(fixture, to, toName), details: `{"n":${index}}` };
      });
      const action = aBatch(idOf(fixture, from), whole, nameOf(fixture, from, drawn.name));
      return { asker: creatorOf(from) + (isForeign ? 1 : 0), action };
    });

const aTransferStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc
    .record({
      from: party,
      step: fc.integer({ min: 1, max: BALANCES.length - 1 }),
      amount,
      isForeign: seldom,
      reference,
    })
    .map(({ from, step, amount: moved, isForeign, ...drawn }): Step => {
      const action = aTransfer(idOf(fixture, from), idOf(fixture, (from + step) % BALANCES.length), moved, drawn);
      return { asker: creatorOf(from) + (isForeign ? 1 : 0), action };
    });

const aReservationPlan = (fixture: LedgerFixture, index: number): fc.Arbitrary<ReserveQr> =>
  fc
    .record({ to: party, amount, expiresIn: fc.constantFrom(-1, 0, 1, 1, 1, 1), payer: fc.option(party) })
    .map(({ to, payer, expiresIn, ...drawn }) =>
      aReservation({ id: idOf(fixture, to), name: `payee ${to}` }, drawn.amount, {
        reference: `QR-${index}`,
        fromUserId: payer === null || payer === to ? undefined : idOf(fixture, payer),
        expiresAt: new Date(NOW.getTime() + expiresIn),
        details: `{"qr":${index}}`,
      }),
    );

/** The QR that a recorded payment holds, as its payload says. */
function heldPlan(fixture: LedgerFixture): ReserveQr {
  const plan = RECORDED.find(({ qrReference }) => qrReference === HELD_QR);
  if (plan === undefined) throw new Error("no payment holds the QR");
  return aReservation({ id: idOf(fixture, plan.to), name: "payee" }, plan.amount, { reference: HELD_QR });
}

const aQrPaymentStep = (fixture: LedgerFixture, plans: readonly ReserveQr[]): fc.Arbitrary<Step> =>
  fc
    .record({
      qr: fc.nat(QR_COUNT),
      from: party,
      isOther: seldom,
      isUnknown: seldom,
      status: requestedStatus,
      reference,
    })
    .map(({ qr, from, isOther, isUnknown, status, ...drawn }): Step => {
      const plan = plans[qr] as ReserveQr;
      const known = isUnknown ? { ...plan, reference: "QR-unknown" } : plan;
      const payer = idOf(fixture, from) === plan.toUserId ? (from + 1) % BALANCES.length : from;
      const payment = aQrPayment(known, idOf(fixture, payer), {
        reference: drawn.reference,
        ...asked(status),
      });
      const action = isOther ? { ...payment, amount: payment.amount + 1n } : payment;
      return { asker: creatorOf(payer), action };
    });

const aGrantStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc
    .record({
      asker: fc.nat(ENTITIES - 1),
      user: party,
      amount,
      loanType: fc.constantFrom("default", "deposit"),
      reference,
    })
    .map(({ asker, user, ...drawn }) => ({ asker, action: aGrant(idOf(fixture, user), drawn.amount, drawn) }));

const aRegistrationStep: fc.Arbitrary<Step> = fc
  .record({
    asker: fc.nat(ENTITIES - 1),
    nit: fc.nat(7),
    phone: fc.nat(7),
    quota: fc.oneof(fc.constant(0n), amount),
    reference,
  })
  .map(({ asker, nit, phone, quota, ...drawn }) => ({
    asker,
    action: { ...aRegistration(quota, { nit: `nit-${nit}`, phone: `+5730000000${phone}` }), ...drawn },
  }));

const aStep = (fixture: LedgerFixture, plans: readonly ReserveQr[]): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 6, arbitrary: aChangeStep(fixture) },
    { weight: 6, arbitrary: aPaymentStep(fixture) },
    { weight: 4, arbitrary: aTransferStep(fixture) },
    { weight: 4, arbitrary: aBatchStep(fixture) },
    { weight: 9, arbitrary: aQrPaymentStep(fixture, [...plans, heldPlan(fixture)]) },
    { weight: 2, arbitrary: aGrantStep(fixture) },
    { weight: 2, arbitrary: aRegistrationStep },
    {
      weight: 6,
      arbitrary: fc
        .record({ asker: fc.nat(ENTITIES - 1), qr: fc.nat(QR_COUNT - 1) })
        .map(({ asker, qr }): Step => ({ asker, action: plans[qr] as ReserveQr })),
    },
    {
      weight: 5,
      arbitrary: fc
        .record({ asker: fc.nat(ENTITIES - 1), qr: fc.nat(QR_COUNT) })
        .map(({ asker, qr }): Step => ({ asker, action: aCancellation(plans[qr] ?? heldPlan(fixture)) })),
    },
    { weight: 1, arbitrary: fc.constant<Step>({ asker: 0, action: aRemember }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom("invalid_request" as const, "user_not_found" as const)
        .map((code): Step => ({ asker: 1, action: aRefusal(code) })),
    },
  );

/** References are drawn fresh, so no reservation comes twice: a second one of the same plan becomes a withdrawal. */
function withoutRepeatedReservations(steps: readonly Step[]): Step[] {
  const reserved = new Set<string>();
  return steps.map((step) => {
    if (step.action.type !== "reserve-qr") return step;
    if (reserved.has(step.action.reference)) return { ...step, action: aCancellation(step.action) };
    reserved.add(step.action.reference);
    return step;
  });
}

/** How histories are drawn. */
interface HistoryOptions {
  readonly keys?: boolean;
  readonly maxLength?: number;
  /** How near they come to that length. */
  readonly size?: fc.SizeForArbitrary;
}

/** The fixture of every history. */
export function historyFixture(): LedgerFixture {
  return withRecordedPayments(ledgerFixture(ENTITIES, BALANCES));
}

/** Histories that reach every outcome: short balances, full ones, QRs in every state, keys used again. */
export function aHistory({ keys = true, maxLength = 24, size }: HistoryOptions = {}): fc.Arbitrary<History> {
  const fixture = historyFixture();
  const plans = fc.tuple(...Array.from({ length: QR_COUNT }, (_, index) => aReservationPlan(fixture, index)));
  const key = keys ? fc.option(fc.constantFrom("k1", "k2", "k3"), { freq: 2 }) : fc.constant(null);
  const fingerprint = fc.constantFrom("body", "body", "other body");
  return plans
    .chain((drawn) => fc.array(fc.tuple(aStep(fixture, drawn), key, fingerprint), { minLength: 1, maxLength, size }))
    .map((steps) => {
      const actions = withoutRepeatedReservations(steps.map(([step]) => step));
      const commands = actions.map(({ asker, action }, index) => {
        const [, used, print] = steps[index] ?? [];
        const entity = fixture.entities[asker % ENTITIES] as LedgerFixture["entities"][number];
        return aCommand(anOrigin(entity, used ?? undefined, print), action) as unknown as Command;
      });
      return { fixture, commands };
    });
}
