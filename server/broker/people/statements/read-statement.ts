import type { BusinessTime } from "../../../../src/business-time.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { toMovement } from "../history/movement.ts";
import { type TransferMovement, type TransferParts, toTransfers } from "../history/my-transfers.ts";
import type { TopUpNames } from "../history/top-up-names.ts";
import type { StatementMovement } from "./statement.ts";

type Service = Granted<"person", "myStatement">;

/** The dependencies of reading a statement's movements. */
export interface StatementParts extends TransferParts {
  readonly topUps: TopUpNames;
}

/** A month as its first instant and the first after it. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** The largest page that the service gives. */
const PAGE = "500";
/** Pages of one list that are read at most, which hold as many movements as any form of a statement may have. */
const MOST_PAGES = 100;
/** The number of a day, counted from a month's first, that always lies in the next month. */
const PAST_ITS_END = 32;

/** Returns the period of a month in the business time zone. */
export function periodOf(time: BusinessTime, month: string): Period {
  const first = `${month}-01`;
  const next = `${time.addDays(first, PAST_ITS_END - 1).slice(0, 7)}-01`;
  return { start: time.startOf(first), end: time.startOf(next) };
}

/** The error of a statement with more movements than are allowed. */
export class TooManyMovementsError extends Error {
  override readonly name = "TooManyMovementsError";
}

/** The error of a month that lies behind more pages of the service's list than are read. */
export class TooFarBackError extends Error {
  override readonly name = "TooFarBackError";
}

type AnyPage<T> = { readonly body: readonly T[]; readonly nextCursor: string | undefined };

/** Yields a list page by page, until one is the last that is wanted; throws {@link TooFarBackError}. */
async function* pages<T>(
  ask: (cursor: { readonly cursor?: string }) => Promise<AnyPage<T>>,
  isLast: (page: readonly T[]) => boolean = () => false,
): AsyncGenerator<readonly T[]> {
  let cursor: string | undefined;
  let read = 0;
  do {
    if (read++ === MOST_PAGES) throw new TooFarBackError();
    const page = await ask(cursor === undefined ? {} : { cursor });
    yield page.body;
    cursor = isLast(page.body) ? undefined : page.nextCursor;
  } while (cursor !== undefined);
}

/** True if a movement changed the balance: a reversed payment did, and what reversed it is a movement of its own. */
function moved({ status }: { readonly status: StatementMovement["status"] }): boolean {
  return status === "approved" || status === "reversed";
}

/**
 * Reads the movements that changed a person's balance in a period, oldest first; throws {@link TooManyMovementsError}
 * beyond `max`, and {@link TooFarBackError}.
 */
export async function readStatement(
  service: Service,
  userId: string,
  { start, end }: Period,
  parts: StatementParts & { readonly max: number },
): Promise<StatementMovement[]> {
  const movements: StatementMovement[] = [];
  const add = (more: readonly StatementMovement[]): void => {
    movements.push(...more);
    if (movements.length > parts.max) throw new TooManyMovementsError();
  };
  const bounds = { "from-date": start.toISOString(), "to-date": end.toISOString(), limit: PAGE };
  for await (const page of pages((cursor) => service.transactionHistory({ ...bounds, ...cursor }))) {
    const seen = await parts.topUps.maskIfKnown(page.filter(moved), userId, service.transaction);
    add(seen.map((record) => toMovement(record, userId, parts.writeReceipt)));
  }
  // The service does not filter transfers by time: they come newest first, and are read until the month begins.
  const isOlder = ({ created_at: at }: TransferMovement): boolean => Date.parse(at) < start.getTime();
  const listed = pages(
    (cursor) => service.ledgerTransactionHistory({ limit: PAGE, ...cursor }),
    (page) => page.some(isOlder),
  );
  for await (const page of listed) {
    const own = page.filter((record) => moved(record) && !isOlder(record) && Date.parse(record.created_at) < +end);
    add(await toTransfers(own, userId, service.user, parts));
  }
  return movements.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
}
