import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { OperatorRole } from "../../server/broker/access/principal.ts";
import { createSignInSessions } from "../../server/broker/access/sign-in-sessions.ts";
import { createClient } from "../../src/client.ts";
import { operatorContract } from "../../src/contract/broker/broker.ts";
import type { MerchantWithKeys } from "../../src/contract/broker/operator-merchants.ts";
import type { OperatorClient } from "./as-operator.ts";
import { ORIGIN, ownPage, SESSION_COOKIE, type TestBroker } from "./broker.ts";
import type { Link } from "./enrolled-device.ts";

/** An operator beside that of the demo, who has a passkey and is signed in. */
export interface AnotherOperator {
  readonly client: OperatorClient;
  readonly cookie: string;
  readonly id: string;
}

/** Makes another operator. */
export async function anotherOperator(
  broker: Pick<TestBroker, "sql" | "options" | "fetch">,
  role: OperatorRole,
): Promise<AnotherOperator> {
  const { sql, options, fetch } = broker;
  const [id, at] = [v7(), options.clock()];
  await sql`
    insert into broker.people (id, role, operator_role, display_name, created_at)
    values (${id}, 'operator', ${role}, 'Second', ${at})`;
  await sql`
    insert into broker.passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at,
      may_pay_from)
    values (${v7()}, ${id}, ${randomBytes(32)}, ${randomBytes(32)}, 0, ${["internal"]}, 'Laptop', ${at}, ${at})`;
  const signIns = createSignInSessions({ ...options, methods: ["button"] });
  const cookie = `${SESSION_COOKIE}=${await signIns.start(id, undefined)}`;
  const settings = { baseUrl: ORIGIN, fetch, headers: () => ownPage(cookie) };
  return { client: createClient(operatorContract, settings), cookie, id };
}

/** Has one operator make a link and another be shown its code; returns what the user gets from both. */
export async function inviteByTwo(
  maker: OperatorClient,
  second: OperatorClient,
  body: Parameters<OperatorClient["createEnrolment"]>[0]["body"],
): Promise<Link> {
  const { id, link = "" } = (await maker.createEnrolment({ body })).body;
  const [, secret = ""] = link.split("#");
  return { secret, code: (await second.showEnrolmentCode({ params: { id } })).body.code };
}

/** Has a second admin agree to a merchant's pending change, if there is one; returns the merchant as it was. */
export async function agreed(second: OperatorClient, merchant: MerchantWithKeys): Promise<MerchantWithKeys> {
  const { change } = merchant;
  if (change !== null) await second.agreeToMerchantChange({ params: { id: change.id } });
  return merchant;
}
