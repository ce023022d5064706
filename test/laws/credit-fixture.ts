import { decide, type Verdict } from "../../server/ledger/decide/decide.ts";
import { lockSetOf } from "../../server/ledger/decide/lock-set.ts";
import type { Action, Command } from "../../server/ledger/model/command.ts";
import type { CreditAccrual, CreditMovement, CreditRecord } from "../../server/ledger/model/credit-commands.ts";
import type { LedgerEvent } from "../../server/ledger/model/events.ts";
import type {
  CreditDay,
  CreditDayOf,
  EntityState,
  LedgerEntry,
  Posting,
  State,
} from "../../server/ledger/model/state.ts";
import { openAccount } from "../../server/ledger/model/state.ts";
import { sumAmounts } from "../../src/money.ts";
import { aCommand, anOrigin, countingIds, type TestEntity } from "../support/ledger.ts";
import { applyChanges, type LedgerFixture, ledgerFixture } from "../support/ledger-fixture.ts";

const SLOT = 3;

/** A ledger over time: its tables, and everything that was appended to them. */
export class CreditFixture {
  readonly fixture: LedgerFixture;
  day: string;
  state: State;
  readonly postings: Posting[] = [];
  readonly entries: LedgerEntry[] = [];
  readonly movements: CreditMovement[] = [];
  readonly accruals: CreditAccrual[] = [];
  readonly creditDays: CreditDayOf[] = [];
  readonly events: LedgerEvent[] = [];
  readonly #nextId = countingIds();

  constructor(day: string, entityCount: number, balances: readonly bigint[]) {
    this.fixture = ledgerFixture(entityCount, balances);
    this.state = { ...this.fixture.state, accounts: new Map() };
    for (const { id } of this.fixture.users) {
      const account = this.fixture.state.accounts.get(id);
      if (account !== undefined)
        this.state = { ...this.state, accounts: new Map([...this.state.accounts, [id, account]]) };
    }
    this.day = day;
  }

  entity(index: number): TestEntity {
    return this.fixture.entities[index % this.fixture.entities.length] as TestEntity;
  }

  user(index: number): string {
    return this.fixture.users[index % this.fixture.users.length]?.id ?? "";
  }

  /** Every credit, in the order of opening. */
  get credits(): readonly CreditRecord[] {
    return [...this.state.credits.values()];
  }

  change(entityIndex: number, settings: Partial<EntityState>): void {
    const { id } = this.entity(entityIndex);
    const entity = { ...(this.state.entities.get(id) as EntityState), ...settings };
    this.state = { ...this.state, entities: new Map([...this.state.entities, [id, entity]]) };
  }

  /** Sums an entity's balances by kind of account, signed; accounts with a balance of zero are left out. */
  books(entityIndex: number): Record<string, bigint> {
    const { id } = this.entity(entityIndex);
    const sums: Record<string, bigint> = {};
    for (const { entityId, kind, posted } of this.state.accounts.values()) {
      if (entityId === id && posted !== 0n) sums[kind] = (sums[kind] ?? 0n) + posted;
    }
    return sums;
  }

  /** A figure of an entity's credits, summed over what was added to it on a day. */
  figure(entityIndex: number, name: keyof CreditDay, onDay: string): bigint {
    const { id } = this.entity(entityIndex);
    const days = this.creditDays.filter(({ entityId, day }) => entityId === id && day === onDay);
    return sumAmounts(days.map(({ figures }) => figures[name] ?? 0n));
  }

  /** Decides a command of an entity on the rows that the writer would have locked for it, and no others. */
  tell(entityIndex: number, action: Action): Verdict {
    const command = aCommand(anOrigin(this.entity(entityIndex)), action, (result) => result) as unknown as Command;
    const moment = { now: new Date(`${this.day}T15:00:00Z`), day: this.day, slot: SLOT };
    const { verdicts, changes } = decide(this.#locked(command), [command], moment, this.#nextId);
    this.state = applyChanges(this.state, changes);
    this.postings.push(...changes.postings);
    this.entries.push(...changes.entries);
    this.movements.push(...changes.creditMovements);
    this.accruals.push(...changes.creditAccruals);
    this.creditDays.push(...changes.creditDays.values());
    this.events.push(...changes.events);
    return verdicts[0] as Verdict;
  }

  #locked(command: Command): State {
    const creators = new Map([...this.state.users.values()].map(({ id, creatorId }) => [id, creatorId]));
    const { userIds, debtors, entityAccounts } = lockSetOf([command], creators, { day: this.day, slot: SLOT });
    const opened = [...entityAccounts].filter(([id]) => !this.state.accounts.has(id));
    this.state = {
      ...this.state,
      accounts: new Map([...this.state.accounts, ...opened.map(([id, key]) => [id, openAccount(id, key)] as const)]),
    };
    const isLocked = (id: string): boolean => userIds.includes(id) || entityAccounts.has(id);
    const isDebt = ({ userId, entityId }: CreditRecord): boolean =>
      debtors.some(({ user_id, entity_id }) => user_id === userId && entity_id === entityId);
    return {
      ...this.state,
      accounts: new Map([...this.state.accounts].filter(([id]) => isLocked(id))),
      credits: new Map([...this.state.credits].filter(([, credit]) => isDebt(credit))),
    };
  }
}
