import type { Answer } from "../../../src/client.ts";
import { TransactionQr, type TransactionQrAnswer } from "../../../src/contract/service/qr.ts";
import type { Transaction } from "../../../src/contract/service/transactions.ts";
import { fits } from "../../../src/contract/shared/validate.ts";
import type { ChangeNotifications } from "../access/notifiers.ts";
import type { Upstream } from "../access/policy/upstream-calls.ts";

type CodeAnswer = Answer<TransactionQr>;
type Fields = Pick<Partial<TransactionQr>, "reference">;

interface KeptCode {
  readonly at: number;
  readonly answer: Promise<CodeAnswer>;
  /** Undefined until the service has answered. */
  known?: CodeAnswer;
  /** Set by an update hint: later requests ask again. */
  isStale?: boolean;
}

/** Dependencies of {@link keepCodes}. */
export interface KeepCodesOptions {
  readonly now: () => number;
  readonly hints: Pick<ChangeNotifications, "onInvalidate">;
}

const RECENT_MS = 1_000;
/** A code that is paid stays so, also after a refund. */
const PAID_KEPT_MS = 60_000;
const MOST_KEPT = 10_000;

/** An answer of that age, with the seconds that are left of the code's. */
function aged(answer: CodeAnswer, ageMs: number): CodeAnswer {
  const expiresIn = Math.max(0, answer.body.expires_in - Math.floor(ageMs / 1000));
  return { ...answer, body: { ...answer.body, expires_in: expiresIn } };
}

/** True for a minute if a code is paid; else for a second at most, and until a hint. */
function isGood({ at, known, isStale = false }: KeptCode, nowMs: number, takesRecent: boolean): boolean {
  const ageMs = nowMs - at;
  if (known?.body.state === "paid") return ageMs < PAID_KEPT_MS;
  return takesRecent && !isStale && ageMs < RECENT_MS;
}

/** Makes the store of codes by their reference; past its limit the one that was asked for first is dropped. */
function createCodes(now: () => number) {
  const codes = new Map<string, KeptCode>();

  function keep(reference: string, answer: Promise<CodeAnswer>): KeptCode {
    const kept: KeptCode = { at: now(), answer };
    codes.delete(reference);
    codes.set(reference, kept);
    const [oldest] = codes.keys();
    if (codes.size > MOST_KEPT && oldest !== undefined) codes.delete(oldest);
    answer.then(
      (known) => {
        kept.known = known;
      },
      () => {
        if (codes.get(reference) === kept) codes.delete(reference);
      },
    );
    return kept;
  }
  return { find: (reference: string) => codes.get(reference), keep };
}

/**
 * Wraps the client of the service so that calls that take a recent answer share one look at a code for a second, and no
 * call asks about a code that is known as paid for a minute. A code that is made or paid through this client is known.
 */
export function keepCodes({ call }: Upstream, { now, hints }: KeepCodesOptions): Upstream {
  const { find, keep } = createCodes(now);
  hints.onInvalidate((topic) => {
    const kept = topic.startsWith("code:") ? find(topic.slice("code:".length)) : undefined;
    if (kept !== undefined) kept.isStale = true;
  });

  async function codeOf(reference: string, takesRecent: boolean): Promise<CodeAnswer> {
    const before = find(reference);
    const isKept = before !== undefined && isGood(before, now(), takesRecent);
    const kept = isKept ? before : keep(reference, call("transactionQr", { reference }));
    return aged(await kept.answer, now() - kept.at);
  }

  /** A code that was made just now is unpaid; an earlier version of the service does not answer all of it. */
  function keepNew({ body, ...answer }: Answer<TransactionQrAnswer>): void {
    const code = { ...body, state: "unpaid" };
    if (!answer.replayed && fits(TransactionQr, code)) keep(code.reference, Promise.resolve({ ...answer, body: code }));
  }

  function keepPaid({ id, reference, kind, status }: Transaction): void {
    const { known, at } = find(reference) ?? {};
    if (known === undefined || at === undefined || kind !== "qr" || status !== "approved") return;
    const { body, ...answer } = aged(known, now() - at);
    keep(reference, Promise.resolve({ ...answer, body: { ...body, state: "paid", transaction_id: id } }));
  }

  const callOrRecall = async (name: string, fields: Fields, key?: string, takesRecent = false) => {
    if (name === "transactionQr" && fields.reference !== undefined) return codeOf(fields.reference, takesRecent);
    const answer = await call(name as never, fields as never, key);
    if (name === "createTransactionQr") keepNew(answer as Answer<TransactionQrAnswer>);
    if (name === "createTransaction") keepPaid(answer.body as Transaction);
    return answer;
  };
  return { call: callOrRecall as Upstream["call"] };
}
