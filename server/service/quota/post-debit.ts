import type { Command, Refuse } from "../../ledger/model/command.ts";
import type { CancelCredit, Discharge, RepayCredit, WriteOffCredit } from "../../ledger/model/credit-commands.ts";
import type { Posted } from "../../ledger/writer.ts";
import type { ServiceContext } from "../shared/service-context.ts";
import { countRefusal, type LookUpCall } from "../users/look-up-user.ts";

type Taking = Discharge | RepayCredit | CancelCredit | WriteOffCredit;

async function isOwn({ sql }: ServiceContext, userId: string, entityId: string): Promise<boolean> {
  return (await sql`select from service.users where id = ${userId} and creator_id = ${entityId}`).length > 0;
}

/**
 * Posts a command on a user's quota or credits. Where it would take quota from another entity's user, a refusal for an
 * insufficient balance reveals something of that balance, and counts as a look-up of a foreign user.
 */
export async function postDebit<A extends Taking>(
  service: ServiceContext,
  call: LookUpCall,
  command: Command<A | Refuse>,
): Promise<Posted> {
  const { action } = command;
  const post = () => service.ledger.post(command);
  const takesNone = action.type === "refuse" || ("source" in action && action.source === "cash");
  if (takesNone || (await isOwn(service, action.userId, call.principal.entityId))) return post();
  return countRefusal(service, call, post, async ({ code }) =>
    code === "insufficient_balance" ? [action.userId] : [],
  );
}
