import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import type { Sql } from "../../../database/connect.ts";
import { describeError, type HttpLog } from "../../../http/http-log.ts";
import type { EventRecorder, RecordedState } from "./event-recorder.ts";
import {
  claimRechecks,
  claimWatches,
  endRechecks,
  lapsedSessions,
  renewWatches,
  saveCursor,
  saveExpiriesThrough,
  scheduleRecheck,
  type Watch,
} from "./watch-store.ts";
import type { WebhookSession } from "./webhook-session.ts";

/** The dependencies of polling merchants' payments. */
export interface WatchOptions {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly log: HttpLog;
  readonly recorder: EventRecorder;
  /** How often a merchant with open codes is looked at, at most. */
  readonly busyMs: number;
  readonly isStopped: () => boolean;
}

/** A merchant without open codes: only a refund, or a hold that settles, can be new. */
const QUIET_MS = 5 * 60_000;
const MERCHANTS_AT_ONCE = 20;
const MOST_ROUNDS = 50;
/** Of 500 payments each; a longer list goes on with the merchant's next turn. */
const MOST_PAGES = 100;
/**
 * The service reports an expired code up to ten seconds after; a payment of the last moment may be under way until its
 * commit.
 */
const EXPIRY_GRACE_MS = 20_000;
const CODES_AT_ONCE = 50;
const MOST_CODES_ROUNDS = 20;
const RECHECK_MS = 60_000;
/** Longer than a hold lasts, which is seven days. */
const RECHECKED_FOR_MS = 9 * 24 * 60 * 60 * 1000;
/** States after which polling ends: reported, withdrawn, or not there. */
const SETTLED_STATES: ReadonlySet<RecordedState> = new Set(["paid", "expired", "cancelled", "unknown"]);
/** Errors of a sync token or cursor that the service no longer knows. */
const CURSOR_ERRORS: readonly ErrorCode[] = ["sync_token_too_old", "invalid_sync_token", "invalid_cursor"];

function isLostPlace(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : undefined;
  return cause instanceof ApiError && CURSOR_ERRORS.includes(cause.code);
}

/** Reads one page of a merchant's payments and records their events; returns the position of the next page. */
async function readPage({ recorder }: WatchOptions, watch: Watch): Promise<Watch> {
  const { userId, syncToken, cursor, since } = watch;
  const { body, ...end } = await recorder.serviceOf(userId).receivedPayments({
    ...(syncToken === null ? { "from-date": since.toISOString() } : { "changed-since": syncToken }),
    ...(cursor === null ? {} : { cursor }),
  });
  await recorder.recordPayments(body, userId);
  if (end.nextCursor !== undefined) return { ...watch, cursor: end.nextCursor };
  return { ...watch, syncToken: end.syncToken ?? syncToken, cursor: null };
}

/** Records the events of payments that were made or changed since the last poll: nothing between two is missed. */
async function readPayments(options: WatchOptions, from: Watch): Promise<void> {
  let watch = from;
  for (let page = 0; page < MOST_PAGES && !options.isStopped(); page += 1) {
    const next = await readPage(options, watch).catch((error: unknown) => {
      if (!isLostPlace(error)) throw error;
      return undefined;
    });
    // The whole list since the webhook was set: recorded events are not recorded again.
    watch = next ?? { ...watch, syncToken: null, cursor: null };
    await saveCursor(options.sql, watch);
    if (next?.cursor === null) return;
  }
}

/** Looks at one session: true if its code is settled. A failure holds nobody else up, unless the service is away. */
async function recordSafely({ recorder, log }: WatchOptions, session: WebhookSession): Promise<boolean> {
  try {
    return SETTLED_STATES.has(await recorder.recordOutcome(session));
  } catch (error) {
    if (error instanceof ApiError && error.code === "unavailable") throw error;
    log.warn({ session: session.id, error: describeError(error) }, "a payment session cannot be looked at");
    return false;
  }
}

/** Records the outcomes of codes that lapsed: each is looked at once, and again only while it is not settled. */
async function checkLapsed(options: WatchOptions, watch: Watch): Promise<void> {
  const { sql, clock } = options;
  let from = watch;
  for (let round = 0; round < MOST_CODES_ROUNDS && !options.isStopped(); round += 1) {
    const through = new Date(clock().getTime() - EXPIRY_GRACE_MS);
    const { sessions, end } = await lapsedSessions(sql, from, { through, most: CODES_AT_ONCE });
    for (const session of sessions) {
      if (await recordSafely(options, session)) continue;
      await scheduleRecheck(sql, session.id, new Date(clock().getTime() + RECHECK_MS));
    }
    await saveExpiriesThrough(sql, watch.merchantId, end);
    if (end >= through) return;
    from = { ...from, expiriesThrough: end };
  }
}

async function checkMerchant(options: WatchOptions, watch: Watch): Promise<void> {
  try {
    await readPayments(options, watch);
    await checkLapsed(options, watch);
  } catch (error) {
    if (error instanceof ApiError && error.code === "unavailable") throw error;
    options.log.warn(
      { merchant: watch.merchantId, error: describeError(error) },
      "a merchant's payments cannot be looked at",
    );
  }
}

async function recheckHeld(options: WatchOptions): Promise<void> {
  const { sql, clock } = options;
  const now = clock();
  const next = new Date(now.getTime() + RECHECK_MS);
  const settled: string[] = [];
  for (const session of await claimRechecks(sql, { most: CODES_AT_ONCE, next }, now)) {
    if (await recordSafely(options, session)) settled.push(session.id);
  }
  await endRechecks(sql, settled, new Date(now.getTime() - RECHECKED_FOR_MS));
}

/**
 * Polls merchants' payments for outcomes that no webhook of the service reported. While the service cannot be reached
 * it throws, and the next call continues.
 */
export async function watchPayments(options: WatchOptions): Promise<void> {
  const { sql, clock, busyMs, isStopped } = options;
  await renewWatches(sql, clock());
  const pace = { busyMs, quietMs: QUIET_MS };
  for (let round = 0; round < MOST_ROUNDS && !isStopped(); round += 1) {
    const watches = await claimWatches(sql, pace, MERCHANTS_AT_ONCE, clock());
    for (const watch of watches) {
      if (!isStopped()) await checkMerchant(options, watch);
    }
    if (watches.length < MERCHANTS_AT_ONCE) break;
  }
  if (!isStopped()) await recheckHeld(options);
}
