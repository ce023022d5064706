import { numberToAmountText, parseAmount } from "../../../../src/money.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { NamedUser } from "../contacts/tell-names.ts";
import { type Counterparty, noteOf } from "../history/movement.ts";
import type { PartyNames } from "../history/party-names.ts";
import type { StatementMovement } from "./statement.ts";

/** The calls of the service that a statement is read with. */
export type StatementService = Granted<"person", "myStatement">;
/** An entry of the person's account, as the service answers it. */
export type AccountEntry = Awaited<ReturnType<StatementService["accountStatement"]>>["body"]["entries"][number];

/** The dependencies of naming the other side of each entry. */
export interface NameParts {
  readonly names: PartyNames;
  /** Returns the function that names counterparties to the person. */
  readonly tell: (counterparties: readonly Counterparty[]) => Promise<(other: NamedUser) => string>;
}

/** A movement with exact minor units, before it is written with the numbers of the wire. */
export type StatementLine = Omit<StatementMovement, "amount" | "balance_after"> & {
  readonly amount: bigint;
  readonly balanceAfter: bigint;
};

/** The other side of each entry that has one; transfers carry no names, so that these are asked for. */
async function counterpartiesOf(entries: readonly AccountEntry[], service: StatementService, names: PartyNames) {
  const isTransfer = ({ kind }: AccountEntry): boolean => kind === "transfer";
  const partners = entries.filter(isTransfer).flatMap(({ counterparty_id: id }) => id ?? []);
  const known = await names.usersOf(partners, service.user);
  const counterparties = new Map<AccountEntry, Counterparty>();
  for (const entry of entries) {
    const { amount, counterparty, counterparty_business_name: business, counterparty_id: id, transaction_kind } = entry;
    const name = business ?? counterparty;
    const hasPaid = amount > 0 && transaction_kind !== "refund";
    const named = id === undefined || name === undefined ? undefined : { id, name, inFull: business !== undefined };
    const other = isTransfer(entry) ? known.get(id ?? "") : named;
    if (other !== undefined)
      counterparties.set(entry, { other: { ...other, inFull: other.inFull || hasPaid }, hasPaid });
  }
  return counterparties;
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
  { digits, names, tell }: NameParts & { readonly digits: number },
): Promise<StatementLine[]> {
  const counterparties = await counterpartiesOf(entries, service, names);
  const nameOf = await tell([...counterparties.values()]);
  return entries.flatMap((entry) => {
    const { other } = counterparties.get(entry) ?? {};
    return linesOf(entry, other && nameOf(other), digits);
  });
}
