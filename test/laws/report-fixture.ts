import { randomBytes } from "node:crypto";
import type { Sql } from "../../server/database/connect.ts";
import type { Action, TransactionRecord } from "../../server/ledger/model/command.ts";
import type { Writer } from "../../server/ledger/writer.ts";
import { closeMonths, lastMonthOver } from "../../server/service/closing/close-months.ts";
import type { ClosingContext } from "../../server/service/closing/closing-context.ts";
import { monthOf } from "../../server/service/reports/months.ts";
import type { ServiceContext } from "../../server/service/shared/service-context.ts";
import type { BusinessTime } from "../../src/business-time.ts";
import { addDays } from "../../src/calendar-day.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { sureClock } from "../support/invented-clock.ts";
import {
  aBatch,
  aCommand,
  aGrant,
  anOrigin,
  aPayment,
  aRegistration,
  aTestEntity,
  aTransfer,
  type TestEntity,
} from "../support/ledger.ts";
import { LOAN_TERMS, type Move } from "./report-history.ts";

/** The parts that the histories of one fixture share: the database, its writers, and the time. */
export interface Stage {
  readonly sql: Sql;
  /** Two processes, in effect: their roll-ups stand in slots of their own. */
  readonly writers: readonly [Writer, Writer];
  readonly time: BusinessTime;
  readonly clock: () => Date;
}

/** A recorded payment as an action on it must name it. */
interface Recorded {
  readonly transactionId: string;
  readonly fromUserId: string;
  readonly toUserId: string;
  readonly madeBy: number;
  /** As it was last answered. */
  readonly status: string;
}

interface CreditRow {
  readonly id: string;
  readonly userId: string;
  readonly entityId: string;
  readonly owed: bigint;
}

const aReference = (): string => randomBytes(8).toString("hex").slice(0, 13).toUpperCase();

function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}

/** Two entities and their users, as a history goes on. */
export class ReportFixture {
  readonly entities: readonly TestEntity[] = [aTestEntity(), aTestEntity()];
  readonly users: { readonly id: string; readonly entity: number }[] = [];
  /** The outcomes of the moves, for the test to know that most of them did something. */
  readonly outcomes: string[] = [];
  readonly #stage: Stage;
  readonly #payments = new Map<string, Recorded>();
  #credits: readonly CreditRow[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get context(): ServiceContext {
    const { sql, writers, time, clock } = this.#stage;
    const currency = { code: "COP", numeric: "170", digits: 2 };
    return { sql, readSql: sql, ledger: writers[0], clockWatch: sureClock, time, clock, currency } as ServiceContext;
  }

  /** Creates the entities, two users of the first and one of the second, some of them with money. */
  async begin(): Promise<void> {
    const rows = this.entities.map(({ id }) => ({ id, name: "An entity", created_at: this.#stage.clock() }));
    await this.#stage.sql`insert into service.entities ${this.#stage.sql(rows)}`;
    await Promise.all([0, 0, 1].map((entity) => this.#register(entity, "active")));
    const funded = this.users.filter((_, index) => index !== 1);
    await Promise.all(
      funded.map(({ id, entity }) => {
        const deposit = aGrant(id, 1_000_000n, { loanType: "deposit", dueDate: undefined });
        return this.#stage.writers[0].post(aCommand(anOrigin(at(this.entities, entity)), deposit));
      }),
    );
  }

  /** One step: all of its moves at once. */
  async step(moves: readonly Move[]): Promise<void> {
    this.#credits = await this.#stage.sql<CreditRow[]>`
      select id, user_id as "userId", entity_id as "entityId", outstanding + unpaid_interest as owed
      from service.credits where entity_id = any(${this.entities.map(({ id }) => id)}) order by id`;
    await Promise.all(moves.map((move, index) => this.#carryOut(move, at(this.#stage.writers, index))));
  }

  async #carryOut(move: Move, writer: Writer): Promise<void> {
    try {
      this.outcomes.push(`${move.type}: ${await this.#try(move, writer)}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.outcomes.push(`${move.type}: ${error.code}`);
    }
  }

  async #try(move: Move, writer: Writer): Promise<string> {
    if (move.type === "register") return this.#register(move.entity, move.status);
    if (move.type === "close") return this.#close(move.entity);
    const told = this.#actionOf(move);
    if (told === undefined) return "nothing to do it to";
    const [asker, action] = told;
    const { body } = await writer.post(aCommand(anOrigin(at(this.entities, asker)), action));
    for (const record of [body].flat() as TransactionRecord[]) if ("statusCount" in record) this.#remember(record);
    return "done";
  }

  async #register(entity: number, status: string): Promise<string> {
    const command = aCommand(anOrigin(at(this.entities, entity)), aRegistration(0n, { status }));
    const { body } = await this.#stage.writers[0].post(command);
    this.users.push({ id: (body as { id: string }).id, entity });
    return "done";
  }

  async #close(entity: number): Promise<string> {
    const context: ClosingContext = this.context;
    const { id } = at(this.entities, entity);
    const [row] = await context.sql<{ createdAt: Date }[]>`
      select created_at as "createdAt" from service.entities where id = ${id}`;
    const month = lastMonthOver(context);
    if (row === undefined || month < monthOf(context.time.dayOf(row.createdAt))) return "too early";
    await closeMonths(context, id, month);
    return "done";
  }

  #remember({ id, fromUserId, toUserId, madeBy, status }: TransactionRecord): void {
    const entity = this.entities.findIndex((each) => each.id === madeBy);
    this.#payments.set(id, { transactionId: id, fromUserId, toUserId, madeBy: entity, status });
  }

  #user(index: number) {
    return at(this.users, index);
  }

  /** Returns the entity that asks and its action; undefined while there is no record that the move could apply to. */
  #actionOf(move: Exclude<Move, { type: "register" | "close" }>): [number, Action] | undefined {
    if (move.type === "settle" || move.type === "reverse") return this.#paymentAction(move);
    if (move.type === "pay-off" || move.type === "repay" || move.type === "end") return this.#creditAction(move);
    if (move.type === "accrue") return [move.entity, this.#accrual(move)];
    if (move.type === "payment" || move.type === "batch" || move.type === "transfer") return this.#payAction(move);
    const reference = aReference();
    const userId = this.#user("to" in move ? move.to : move.from).id;
    const day = this.#stage.time.dayOf(this.#stage.clock());
    if (move.type === "discharge") {
      return [move.entity, { type: "discharge", userId, amount: move.amount, reference }];
    }
    const terms = LOAN_TERMS[move.loanType];
    const dueDate = move.term === undefined ? undefined : addDays(day, move.term);
    if (move.type === "grant") {
      return [move.entity, aGrant(userId, move.amount, { loanType: move.loanType, terms, dueDate })];
    }
    const opened = addDays(day, -move.age);
    return [
      move.entity,
      {
        ...{ type: "import-credit" as const, userId, loanType: move.loanType, reference, openedOn: opened },
        principal: move.amount + 1n,
        outstanding: move.amount,
        unpaidInterest: move.interest,
        terms: terms ?? (LOAN_TERMS.default as NonNullable<typeof terms>),
        dueDate: move.term === undefined ? undefined : addDays(opened, move.term),
        accruedThrough: addDays(day, -Math.min(move.age, 70)),
      },
    ];
  }

  #payAction(move: Extract<Move, { type: "payment" | "batch" | "transfer" }>): [number, Action] | undefined {
    const from = this.#user(move.from);
    if (move.type === "batch") {
      const all = move.items.map(({ to, amount }) => ({ toUserId: this.#user(to).id, amount }));
      const items = all.filter(({ toUserId }) => toUserId !== from.id);
      return items.length === 0 ? undefined : [from.entity, aBatch(from.id, items)];
    }
    const to = this.#user(move.from + move.other);
    if (to.id === from.id) return undefined;
    if (move.type === "transfer") return [from.entity, aTransfer(from.id, to.id, move.amount)];
    const holdExpiresAt = move.status === "pending" ? new Date(this.#stage.clock().getTime() + 1e10) : undefined;
    const more = { requestedStatus: move.status, kind: move.kind, holdExpiresAt };
    return [from.entity, aPayment(from.id, to.id, move.amount, more)];
  }

  #paymentAction(move: Extract<Move, { type: "settle" | "reverse" }>): [number, Action] | undefined {
    const isMeant = ({ status }: Recorded): boolean => status === (move.type === "settle" ? "pending" : "approved");
    const meant = [...this.#payments.values()].filter(isMeant);
    if (meant.length === 0) return undefined;
    const { madeBy, status: _, ...payment } = at(meant, move.choice);
    const recorded = { ...payment, qrReference: undefined, reference: aReference(), amount: move.amount };
    if (move.type === "settle") return [madeBy, { ...recorded, type: "settle", status: move.status }];
    const payee = this.users.find(({ id }) => id === payment.toUserId);
    return [payee?.entity ?? 0, { ...recorded, type: "reverse", details: "{}" }];
  }

  #creditAction(move: Extract<Move, { type: "pay-off" | "repay" | "end" }>): [number, Action] | undefined {
    const open = this.#credits.filter(({ owed }) => owed > 0n);
    if (open.length === 0) return undefined;
    const { id: creditId, userId, entityId, owed } = at(open, move.choice);
    const asker = this.entities.findIndex(({ id }) => id === entityId);
    const reference = aReference();
    if (move.type === "end") return [asker, { type: move.how, userId, creditId, reference }];
    const repayment = { type: "repay-credit", userId, reference } as const;
    if (move.type === "pay-off") return [asker, { ...repayment, creditId, amount: owed, source: "cash" }];
    const amount = move.amount < owed ? move.amount : owed;
    return [asker, { ...repayment, creditId: undefined, amount, source: move.source }];
  }

  #accrual({ entity, back }: Extract<Move, { type: "accrue" }>): Action {
    const { id } = at(this.entities, entity);
    const own = this.#credits.filter(({ entityId }) => entityId === id);
    const through = addDays(this.#stage.time.dayOf(this.#stage.clock()), -back);
    return { type: "accrue", through, credits: own.map((credit) => ({ creditId: credit.id, userId: credit.userId })) };
  }
}
