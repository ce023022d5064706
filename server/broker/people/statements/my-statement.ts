import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Reply } from "../../../../src/contract/shared/handler.ts";
import { DEFAULT_LANGUAGE, type Language } from "../../../../src/language/languages.ts";
import { statementWords } from "../../../../src/language/tables/server.ts";
import { type BrokerContext, takeFromPersonLimit, toInstant } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { tellCounterparties } from "../history/movement.ts";
import type { PartyNames } from "../history/party-names.ts";
import type { NameParts, StatementService } from "./account-lines.ts";
import {
  type AccountMonth,
  type Period,
  periodOf,
  readStatement,
  type StatementParts,
  TooManyMovementsError,
} from "./read-statement.ts";
import type { Statement } from "./statement.ts";
import { statementCsv } from "./statement-csv.ts";
import { statementFormat } from "./statement-format.ts";
import { statementPdf } from "./statement-pdf.ts";

/** Seconds within which the work is usually done. */
const RETRY_AFTER_SECONDS = 5;
/** Seconds within which a month that has just ended may be closed; closing goes by every ten minutes. */
const CLOSED_AFTER_SECONDS = 60;

/** Keeps one person from filling the process with expensive work: a second task before the first is over is refused. */
function oneAtATime(): <T>(whose: string, work: () => Promise<T>) => Promise<T> {
  const busy = new Set<string>();
  return async (whose, work) => {
    if (busy.has(whose)) {
      const detail = "The one that you asked for before is not done yet.";
      throw new ApiError("too_many_requests", { detail, retryAfter: RETRY_AFTER_SECONDS });
    }
    busy.add(whose);
    try {
      return await work();
    } finally {
      busy.delete(whose);
    }
  };
}

const [CSV, PDF] = ["text/csv", "application/pdf"];
const FILES = [CSV, PDF];

/** A shop with a sale each minute of every night and day stays within it. */
const MAX_MOVEMENTS = 50_000;
/** Two hundred pages of paper and a second or two of work; more is for a spreadsheet. */
const MAX_PDF_MOVEMENTS = 5_000;

function refuse(parameter: string, detail: string): ApiError {
  return new ApiError("invalid_request", { detail: "See errors for each fault.", faults: [{ parameter, detail }] });
}

function notClosed(): ApiError {
  const detail = "The books of this month are not closed yet: ask again in some minutes.";
  return new ApiError("month_not_closed", { detail, retryAfter: CLOSED_AFTER_SECONDS });
}

async function replyOf(
  body: Statement,
  mediaType: string,
  broker: BrokerContext,
  language: Language = DEFAULT_LANGUAGE,
) {
  if (!FILES.includes(mediaType)) return { body };
  const format = statementFormat(statementWords[language], body.currency, broker.timeZone);
  const isCsv = mediaType === CSV;
  const content = isCsv ? await statementCsv(body, format) : await statementPdf(body, format);
  const name = `cupo-${body.month}.${isCsv ? "csv" : "pdf"}`;
  return {
    body,
    media: { type: isCsv ? `${CSV}; charset=utf-8` : mediaType, content },
    headers: { "Content-Disposition": `attachment; filename="${name}"` },
  } satisfies Reply<Statement>;
}

/** When a month begins in the first time zone of the world: a device there offers it while it is empty here. */
function firstBeginning(month: string): Date {
  return new Date(`${month}-01T00:00:00+14:00`);
}

/** Reads the account of a month; throws `invalid_request` where it has more movements than the form can answer. */
async function accountMonthOf(
  service: StatementService,
  period: Period,
  { mediaType, ...parts }: StatementParts & { readonly mediaType: string },
): Promise<AccountMonth> {
  const max = mediaType === PDF ? MAX_PDF_MOVEMENTS : MAX_MOVEMENTS;
  try {
    return await readStatement(service, period, { ...parts, max });
  } catch (error) {
    if (!(error instanceof TooManyMovementsError)) throw error;
    const way = mediaType === PDF ? ": ask for text/csv" : "";
    throw refuse("month", `has more than ${max} movements, the most that is answered in this form${way}`);
  }
}

/**
 * Answers the statement of a month as JSON, CSV or PDF. Each reads up to a hundred pages of the service, and so a
 * person gets one at a time. A month that is over is answered once nothing more can be booked in it.
 */
export function myStatement(broker: BrokerContext, names: PartyNames): GatedHandler<"person", "myStatement"> {
  const { clock, currency, time, guardLimit } = broker;
  const inTurn = oneAtATime();
  return async ({ principal, query, mediaType }, service) => {
    takeFromPersonLimit(guardLimit, principal, "statement");
    return inTurn(principal.personId, async () => {
      const asOf = clock();
      const period = periodOf(query.month);
      if (firstBeginning(query.month) > asOf) throw refuse("month", "must have begun");
      const tell: NameParts["tell"] = (found) => tellCounterparties(broker, principal.userId, found);
      const parts = { names, tell, digits: currency.digits };
      const account = await accountMonthOf(service, period, { ...parts, mediaType });
      if (!account.final && time.dayOf(asOf) > period.toDay) throw notClosed();
      const body: Statement = {
        month: query.month,
        name: (await names.userOf(principal.userId, service.user)).name,
        currency: currency.code,
        ...account,
        as_of: toInstant(asOf),
      };
      return replyOf(body, mediaType, broker, query.language);
    });
  };
}
