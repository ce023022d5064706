import { numberToAmountText, parseAmount } from "../../../../src/money.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { askEach } from "../history/ask-each.ts";
import { noteOf } from "../history/movement.ts";
import { coverName, NAMELESS, type PartyNames } from "../history/party-names.ts";
import type { TopUpNames } from "../history/top-up-names.ts";
import type { StatementMovement } from "./statement.ts";

/** The calls of the service that a statement is read with. */
export type StatementService = Granted<"person", "myStatement">;
/** An entry of the person's account, as the service answers it. */
export type AccountEntry = Awaited<ReturnType<StatementService["accountStatement"]>>["body"]["entries"][number];

/** The dependencies of naming the other side of each entry. */
export interface NameParts {
  readonly names: PartyNames;
  readonly topUps: TopUpNames;
}

/** A movement with exact minor units, before it is written with the numbers of the wire. */
export type StatementLine = Omit<StatementMovement, "amount" | "balance_after"> & {
  readonly amount: bigint;
  readonly balanceAfter: bigint;
};

/** The names of the other sides of a page of entries, as the person may see them. */
async function namesFor(entries: readonly AccountEntry[], service: StatementService, { names, topUps }: NameParts) {
  const isTransfer = ({ kind }: AccountEntry): boolean => kind === "transfer";
  const partners = entries.filter(isTransfer).flatMap(({ counterparty_id: id }) => id ?? []);
  const returned = entries.flatMap(({ amount, reverses }) => (amount > 0 ? (reverses ?? []) : []));
  const [known, returnedTopUps] = await Promise.all([
    names.namesOf(partners, service.user),
    askEach(returned, (id) => topUps.isTopUp(id, service.transaction)),
  ]);
  return (entry: AccountEntry): string | undefined => {
    const { amount, counterparty, counterparty_id: id = "", reverses = "", transaction_kind: kind } = entry;
    if (isTransfer(entry)) {
      const name = known.get(id) ?? NAMELESS;
      // The receiver was found by phone or nit: the smallest transfer must not buy the name that a look-up hides.
      return amount < 0 ? coverName(name) : name;
    }
    if (counterparty === undefined) return undefined;
    const isTopUp = (kind === "recharge" && amount < 0) || (amount > 0 && returnedTopUps.get(reverses) === true);
    return isTopUp ? coverName(counterparty) : counterparty;
  };
}

type PlainKind = Exclude<StatementMovement["kind"], "payout">;

/** The kinds of postings of a person's quota besides payments, as the person knows them. */
const KINDS: Readonly<Partial<Record<AccountEntry["kind"], PlainKind>>> = Object.freeze({
  transfer: "transfer",
  credit: "credit",
  deposit: "deposit",
  repayment: "repayment",
  discharge: "repayment",
  cancellation: "cancellation",
});

/** Splits a discharge into what repaid credits and what was paid out; every other entry is one movement. */
function partsOf(entry: AccountEntry, digits: number): { kind: StatementMovement["kind"]; amount: bigint }[] {
  const amount = parseAmount(numberToAmountText(entry.amount), digits);
  const kind = entry.transaction_kind ?? KINDS[entry.kind];
  if (kind === undefined) throw new Error(`a posting of kind ${entry.kind} in a person's account`);
  const paidOut = -parseAmount(entry.paid_out ?? "0", digits);
  const parts = [
    { kind, amount: amount - paidOut },
    { kind: "payout" as const, amount: paidOut },
  ];
  return parts.filter((part) => part.amount !== 0n);
}

function linesOf(entry: AccountEntry, counterparty: string | undefined, digits: number): StatementLine[] {
  const { created_at, day, details = {}, posting_id, qr_details, reference, transaction_id } = entry;
  const note = noteOf(details, qr_details);
  const parts = partsOf(entry, digits);
  let balance = parseAmount(numberToAmountText(entry.balance_after), digits);
  const lines = parts.toReversed().map(({ kind, amount }) => {
    const balanceAfter = balance;
    balance -= amount;
    return {
      ...{ id: transaction_id ?? posting_id, day, kind, reference, amount, balanceAfter, created_at },
      ...(counterparty === undefined ? {} : { counterparty }),
      ...(note === undefined ? {} : { note }),
    };
  });
  return lines.toReversed();
}

/** Turns a page of entries into the movements that the person sees, with names that the person may see. */
export async function accountLines(
  entries: readonly AccountEntry[],
  service: StatementService,
  { digits, ...parts }: NameParts & { readonly digits: number },
): Promise<StatementLine[]> {
  const nameOf = await namesFor(entries, service, parts);
  return entries.flatMap((entry) => linesOf(entry, nameOf(entry), digits));
}
