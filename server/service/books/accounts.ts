import type * as contract from "../../../src/contract/service/books.ts";
import { BooksAccount } from "../../../src/contract/service/report-answers.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount } from "../../../src/money.ts";
import { type PagePart, readPage } from "../../shared/page.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";

type AccountName = contract.Account["account"];

/** An account's place in the list: its name, and the counterparty's id of due to and due from. */
const PLACE = /^[a-z_]+(?:\/[0-9a-f-]{36})?$/;

const NORMAL_SIDES = Object.freeze({
  user_quota: "credit",
  credits_receivable: "debit",
  interest_receivable: "debit",
  cash_clearing: "debit",
  losses: "debit",
  recoveries: "credit",
  interest_income: "credit",
  due_to: "credit",
  due_from: "debit",
} satisfies Record<AccountName, contract.Account["normal_side"]>);

interface Totals {
  readonly kind: AccountName;
  readonly counterpartyId: string | null;
  readonly counterparty: string | null;
  readonly debit: string;
  readonly credit: string;
}

/** Sums the days of an entity's accounts: as many rows as days and writers, however much was posted. */
async function readTotals({ sql }: ReadContext, entityId: string): Promise<readonly Totals[]> {
  return sql<Totals[]>`
    select l.kind, c.id as "counterpartyId", c.name as counterparty, sum(l.debit)::text as debit,
      sum(l.credit)::text as credit
    from service.ledger_days l left join service.entities c on c.id = l.counterparty_id
    where l.entity_id = ${entityId} group by l.kind, c.id, c.name order by c.id`;
}

/** True if the books have one account of that name for each counterparty. */
export function hasCounterparties(name: AccountName): boolean {
  return name === "due_to" || name === "due_from";
}

/** Every account of the chart in its order, also one that nothing was posted to. */
function chartOf(totals: readonly Totals[]): readonly Totals[] {
  const nothing = { counterpartyId: null, counterparty: null, debit: "0", credit: "0" };
  return BooksAccount.options.flatMap((kind) => {
    const found = totals.filter((each) => each.kind === kind);
    return found.length > 0 || hasCounterparties(kind) ? found : [{ kind, ...nothing }];
  });
}

/** Lists the accounts of the caller's books, with their total debits and credits and their balance. */
export function accounts(service: ReadContext): Handler<typeof contract.accounts, ApiCaller> {
  const inUnits = (minor: bigint): string => formatAmount(minor, service.currency.digits);
  const answerOf = ({ kind, counterpartyId, counterparty, ...sums }: Totals): contract.Account => {
    const [debit, credit] = [BigInt(sums.debit), BigInt(sums.credit)];
    const normalSide = NORMAL_SIDES[kind];
    return {
      account: kind,
      ...(counterpartyId === null ? {} : { counterparty_id: counterpartyId }),
      ...(counterparty === null ? {} : { counterparty }),
      normal_side: normalSide,
      debit: inUnits(debit),
      credit: inUnits(credit),
      balance: inUnits(normalSide === "debit" ? debit - credit : credit - debit),
    };
  };
  return async ({ query, principal }) => {
    const read = async ({ limit, before }: PagePart) => {
      const chart = chartOf(await readTotals(service, principal.entityId)).map((each) => ({
        ...each,
        id: each.counterpartyId === null ? each.kind : `${each.kind}/${each.counterpartyId}`,
      }));
      const start = chart.findIndex(({ id }) => id === before) + 1;
      return chart.slice(start, start + limit);
    };
    const { rows, nextCursor } = await readPage(query, read, PLACE);
    return { body: rows.map(answerOf), nextCursor };
  };
}
