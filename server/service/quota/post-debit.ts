import type { Reply } from "../../../src/contract/shared/handler.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { CancelCredit, Discharge, RepayCredit, WriteOffCredit } from "../../ledger/model/credit-commands.ts";
import { type Posting, type PostingCall, post, type ServiceContext } from "../shared/service-context.ts";
import { countRefusal, type LookUpCall } from "../users/look-up-user.ts";

type Taking = Discharge | RepayCredit | CancelCredit | WriteOffCredit;

async function isOwn({ sql }: ServiceContext, userId: string, entityId: string): Promise<boolean> {
  return (await sql`select from service.users where id = ${userId} and creator_id = ${entityId}`).length > 0;
}

/**
 * Posts a command on a user's quota or credits. Where it would take quota from another entity's user, a refusal for an
 * insufficient balance reveals something of that balance, and counts as a look-up of a foreign user.
 */
export async function postDebit<A extends Taking, B extends object>(
  service: ServiceContext,
  operation: string,
  call: LookUpCall & PostingCall,
  posting: Posting<A | Refuse, B>,
): Promise<Reply<B>> {
  const { action } = posting;
  const write = () => post(service, operation, call, posting);
  const takesNone = action.type === "refuse" || ("source" in action && action.source === "cash");
  if (takesNone || (await isOwn(service, action.userId, call.principal.entityId))) return write();
  return countRefusal(service, call, write, async ({ code }) =>
    code === "insufficient_balance" ? [action.userId] : [],
  );
}
