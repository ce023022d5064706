import fc from "fast-check";
import type { Action } from "../../server/ledger/model/command.ts";
import { aBlock, aLapse, anUpdate, aReversal, aSettlement } from "../support/ledger.ts";
import type { LedgerFixture } from "../support/ledger-fixture.ts";
import { BLOCKING_STATUS, RECORDED } from "./recorded-payments.ts";

/** An action, and the entity that asks for it, by its place in the fixture. */
export interface Step {
  readonly asker: number;
  readonly action: Action;
}

/** How many entities a history's fixture has; the users' creators take turns. */
export const ENTITIES = 3;

const UNKNOWN = "00000000-0000-7000-8000-00000000b0ff";
const seldom = fc.nat(9).map((draw) => draw === 0);
const recorded = fc.nat(RECORDED.length - 1);
const reference = fc.uuid();

/** Halves of the amount: half, all or more than all of it; undefined for whatever there is. */
const share = fc.constantFrom(undefined, undefined, 1n, 2n, 3n);

function planned(fixture: LedgerFixture, index: number, isUnknown: boolean) {
  const plan = RECORDED[index];
  if (plan === undefined) throw new Error(`no payment ${index} was recorded`);
  const [payer, payee] = [fixture.users[plan.from], fixture.users[plan.to]];
  const ids = { fromUserId: payer?.id ?? "", toUserId: payee?.id ?? "" };
  return { plan, record: { ...ids, id: isUnknown ? UNKNOWN : plan.id } };
}

const aSettlementStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc
    .record({ index: recorded, isRelease: fc.boolean(), share, isForeign: seldom, isUnknown: seldom, reference })
    .map(({ index, isRelease, share: part, isForeign, isUnknown, ...drawn }): Step => {
      const { plan, record } = planned(fixture, index, isUnknown);
      const amount = isRelease || part === undefined ? undefined : (plan.amount * part) / 2n;
      const status = isRelease ? "rejected" : "approved";
      const action = { ...aSettlement(record, status, amount, plan.qrReference), ...drawn };
      return { asker: plan.from + (isForeign ? 1 : 0), action };
    });

const aLapseStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc.record({ index: recorded, isUnknown: seldom, reference }).map(({ index, isUnknown, ...drawn }): Step => {
    const { plan, record } = planned(fixture, index, isUnknown);
    return { asker: plan.from, action: { ...aLapse(record, plan.qrReference), ...drawn } };
  });

const aReversalStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc
    .record({ index: recorded, share, isForeign: seldom, isUnknown: seldom, reference })
    .map(({ index, share: part, isForeign, isUnknown, ...drawn }): Step => {
      const { plan, record } = planned(fixture, index, isUnknown);
      const amount = part === undefined ? undefined : (plan.amount * part) / 2n;
      return { asker: plan.to + (isForeign ? 1 : 0), action: { ...aReversal(record, amount), ...drawn } };
    });

/** Blocks and statuses that come and go; a nit that is the user's own or another's. */
const aUserStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc
    .record({
      user: fc.nat(fixture.users.length - 1),
      isForeign: seldom,
      isUnknown: seldom,
      what: fc.constantFrom("block", "unblock", "unblock", "active", "active", BLOCKING_STATUS, "nit"),
      nit: fc.nat(fixture.users.length - 1),
    })
    .map(({ user, isForeign, isUnknown, what, nit }): Step => {
      const id = isUnknown ? UNKNOWN : (fixture.users[user]?.id ?? "");
      const changes = what === "nit" ? { nit: `nit-${nit}` } : { status: what };
      const isBlock = what === "block" || what === "unblock";
      const action = isBlock ? aBlock(id, what === "block") : anUpdate(id, changes);
      return { asker: user + (isForeign ? 1 : 0), action };
    });

/** Draws a change of payments and users that exist: holds settled and lapsed, payments reversed, users blocked. */
export const aChangeStep = (fixture: LedgerFixture): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 4, arbitrary: aSettlementStep(fixture) },
    { weight: 2, arbitrary: aLapseStep(fixture) },
    { weight: 4, arbitrary: aReversalStep(fixture) },
    { weight: 3, arbitrary: aUserStep(fixture) },
  );
