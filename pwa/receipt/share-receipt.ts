import type { Movement } from "../../src/contract/broker/broker.ts";
import type { ReceiptsWords } from "../../src/language/tables/app.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import type { Words } from "../language/words.ts";

/** Returns the address at which anybody can check a receipt. The token is in the fragment, which no server logs. */
export function receiptLink(receipt: string, origin: string): string {
  return `${origin}/v#${receipt}`;
}

/** Formats a receipt's check code as people compare it: two groups of four. */
export function displayCheckCode(code: string): string {
  return code.replace(/^(.{4})(.+)$/, "$1 $2");
}

/** Returns the text of the message that shares a receipt, to be sent beside the receipt's link. */
export function receiptText(movement: Movement, words: Words, receipts: ReceiptsWords): string {
  const { amount, check_code: code = "", counterparty, currency, direction, kind, reference } = movement;
  return receipts.receipt.text({
    kind: words.list.kind[kind],
    amount: formatMoney(amount, currency),
    who: direction === "sent" ? words.list.sentTo(counterparty) : words.list.receivedFrom(counterparty),
    reference: displayReference(reference),
    code: displayCheckCode(code),
  });
}

/** Shares a receipt, or copies it if the browser cannot share. Resolves to true if it was copied. */
export async function shareReceipt(text: string, url: string, navigator: Navigator): Promise<boolean> {
  if ("share" in navigator) {
    try {
      await navigator.share({ text, url });
    } catch (error) {
      // Closing the share sheet is no error.
      if ((error as Error).name !== "AbortError") throw error;
    }
    return false;
  }
  await (navigator as Navigator).clipboard.writeText(`${text}\n${url}`);
  return true;
}
