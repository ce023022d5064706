import { formatAmount } from "../../../src/money.ts";
import { available } from "../../ledger/decide/books.ts";
import type { Preview } from "../../ledger/preview-command.ts";
import type { Currency } from "../service-context.ts";

/** A user's balance as a previewed command would leave it. */
export function balanceAnswer({ changes, state }: Preview, userId: string, { digits }: Currency) {
  const account = changes.accounts.get(userId) ?? state.accounts.get(userId);
  if (account === undefined) throw new Error(`the account of ${userId} was not read for the preview`);
  return {
    quota: formatAmount(account.posted, digits),
    quota_available: formatAmount(available(account), digits),
  };
}
