import type * as contract from "../../../src/contract/service/users.ts";
import type { Call, Handler, Reply } from "../../../src/contract/shared/handler.ts";
import { type ApiCaller, post, type ServiceContext } from "../shared/service-context.ts";
import { changedUserAnswer, readAnswerContext, userForScopes } from "./changed-user-answer.ts";

type BlockCall = Pick<Call<typeof contract.blockUser, ApiCaller>, "body" | "principal" | "idempotency">;

async function change(
  service: ServiceContext,
  call: BlockCall,
  { operation, isBlocked }: { readonly operation: string; readonly isBlocked: boolean },
): Promise<Reply<contract.ChangedUser>> {
  const beside = await readAnswerContext(service, call.body.id, call.principal.entityId);
  const reply = await post(service, operation, call, {
    action: { type: "block-user", userId: call.body.id.toLowerCase(), isBlocked },
    answer: (user) => changedUserAnswer(user, beside, service),
  });
  return { ...reply, body: userForScopes(reply.body, call.principal) };
}

/** Blocks a user as payer: the user cannot pay, but is still paid. */
export function blockUser(service: ServiceContext): Handler<typeof contract.blockUser, ApiCaller> {
  return (call) => change(service, call, { operation: "blockUser", isBlocked: true });
}

/** Lets a blocked user pay again. */
export function unblockUser(service: ServiceContext): Handler<typeof contract.unblockUser, ApiCaller> {
  return (call) => change(service, call, { operation: "unblockUser", isBlocked: false });
}
