import type { Answer } from "../../../src/client.ts";
import type { TransactionQr } from "../../../src/contract/service/qr.ts";
import type { Upstream } from "../access/policy/upstream-calls.ts";

interface PaidCode {
  readonly answer: Answer<TransactionQr>;
  readonly at: number;
}

const KEPT_MS = 60_000;
const MOST_KEPT = 10_000;

/**
 * Wraps the client of the service so that for a minute it asks for no code again that it knows as paid: such a code
 * never changes, and both the page and the merchant ask for it right after the payment.
 */
export function keepPaidCodes({ call }: Upstream, now: () => number): Upstream {
  const paid = new Map<string, PaidCode>();

  function keep(reference: string, answer: Answer<TransactionQr>): void {
    paid.delete(reference);
    paid.set(reference, { answer, at: now() });
    const [oldest] = paid.keys();
    if (paid.size > MOST_KEPT && oldest !== undefined) paid.delete(oldest);
  }

  function keptAnswer({ answer, at }: PaidCode): Answer<TransactionQr> {
    const expiresIn = Math.max(0, answer.body.expires_in - Math.floor((now() - at) / 1000));
    return { ...answer, body: { ...answer.body, expires_in: expiresIn } };
  }

  const callOrRecall = async (name: string, fields: { readonly reference?: string }, key?: string) => {
    const { reference } = fields;
    if (name !== "transactionQr" || reference === undefined) return call(name as never, fields as never, key);
    const known = paid.get(reference);
    if (known !== undefined && now() - known.at < KEPT_MS) return keptAnswer(known);
    const answer = await call("transactionQr", { reference });
    if (answer.body.state === "paid") keep(reference, answer);
    return answer;
  };
  return { call: callOrRecall as Upstream["call"] };
}
