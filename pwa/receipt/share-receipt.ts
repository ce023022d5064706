import type { Movement } from "../../src/contract/broker.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import type { ReadingWords } from "../language/reading/reading-words.ts";
import type { Words } from "../language/words.ts";

/** The address at which anybody can check a receipt. The token stands in the fragment, which no server's log has. */
export function receiptLink(receipt: string, origin: string): string {
  return `${origin}/v#${receipt}`;
}

/** A check code as people compare it: two groups of four. */
export function displayCheckCode(code: string): string {
  return code.replace(/^(.{4})(.+)$/, "$1 $2");
}

/** What a receipt says in a message, beside its link. */
export function receiptText(movement: Movement, words: Words, reading: ReadingWords): string {
  const { amount, check_code: code = "", counterparty, currency, direction, kind, reference } = movement;
  return reading.receipt.text({
    kind: words.list.kind[kind],
    amount: formatMoney(amount, currency),
    who: direction === "sent" ? words.list.sentTo(counterparty) : words.list.receivedFrom(counterparty),
    reference: displayReference(reference),
    code: displayCheckCode(code),
  });
}

/** Hands a receipt on; where nothing can be shared it is copied. Answers whether it was copied. */
export async function shareReceipt(text: string, url: string, navigator: Navigator): Promise<boolean> {
  if ("share" in navigator) {
    try {
      await navigator.share({ text, url });
    } catch (error) {
      // Whoever closes the share sheet has not failed at anything.
      if ((error as Error).name !== "AbortError") throw error;
    }
    return false;
  }
  await (navigator as Navigator).clipboard.writeText(`${text}\n${url}`);
  return true;
}
