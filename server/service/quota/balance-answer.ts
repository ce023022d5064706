import { formatAmount } from "../../../src/money.ts";
import { available } from "../../ledger/decide/books.ts";
import type { Preview } from "../../ledger/preview-command.ts";
import type { Currency } from "../shared/service-context.ts";

/** The user whose balance is answered, and the entity that it is answered to. */
interface Viewing {
  readonly userId: string;
  readonly viewerId: string;
}

/**
 * Returns a user's posted and available balance as a previewed command would leave them, as decimal text; nulls for
 * another entity than the user's creator.
 */
export function balanceAnswer({ changes, state }: Preview, { userId, viewerId }: Viewing, { digits }: Currency) {
  if (state.users.get(userId)?.creatorId !== viewerId) return { quota: null, quota_available: null };
  const account = changes.accounts.get(userId) ?? state.accounts.get(userId);
  if (account === undefined) throw new Error(`the account of ${userId} was not read for the preview`);
  return {
    quota: formatAmount(account.posted, digits),
    quota_available: formatAmount(available(account), digits),
  };
}
