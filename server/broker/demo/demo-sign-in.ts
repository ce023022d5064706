import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql } from "../../database/connect.ts";
import { addressKey } from "../../http/client-address.ts";
import { type BrokerContext, takeFromLimit } from "../access/broker-context.ts";
import { refuseFrozen } from "../access/freeze-store.ts";
import { hashToken, isOpaqueToken } from "../access/opaque-token.ts";
import type { GatedHandler } from "../access/policy/gate.ts";
import type { VisitorPrincipal } from "../access/principal.ts";
import { sessionCookie } from "../access/session-cookie.ts";

interface DemoPersonRow {
  readonly id: string;
  readonly demo_name: string;
  readonly display_name: string;
  readonly demo_role: "payer" | "merchant";
  readonly user_id: string | null;
}

/**
 * A request to sign in as a demo person or operator: the visitor, whose earlier session the new one ends, the request's
 * id, and the network address that it came from.
 */
export interface DemoSignIn {
  readonly principal: VisitorPrincipal;
  readonly requestId: string;
  readonly address: string;
}

/** Starts a demo person's session; answers the `Set-Cookie` header. */
async function signIn(broker: BrokerContext, person: DemoPersonRow | undefined, call: DemoSignIn): Promise<string> {
  const { sql, signIns, audit } = broker;
  const { principal, requestId } = call;
  if (person === undefined) {
    await audit(sql, { requestId, principal, action: "demo sign-in", outcome: "not_found" });
    throw new ApiError("not_found", { detail: "The demo has no such person." });
  }
  if (person.user_id !== null) await refuseFrozen(sql, person.user_id);
  const token = await signIns.start(person.id, principal.sessionHash, { browser: principal.browser });
  await audit(sql, { requestId, principal, action: "demo sign-in", subject: person.id, outcome: "signed in" });
  return sessionCookie(broker, token);
}

/**
 * The demo's people whom a button signs in. An operator sees every user of the database, and a proxy that nobody
 * declared makes the button public: operators sign in by their secret address alone.
 */
function peopleWithButton(sql: Sql): Promise<readonly DemoPersonRow[]> {
  return sql<DemoPersonRow[]>`
    select id, demo_name, display_name, demo_role, user_id from broker.people
    where demo_name is not null and role = 'person' order by created_at, id`;
}

/**
 * Signs in the demo person or operator of a `sign_in_url` of demo.json, by the secret in it, which may be used again.
 * Returns the `Set-Cookie` header.
 */
export async function demoSignInByKey(broker: BrokerContext, key: string, call: DemoSignIn): Promise<string> {
  takeFromLimit(broker.signInLimit, addressKey(call.address));
  if (!isOpaqueToken(key)) return signIn(broker, undefined, call);
  const [row] = await broker.sql<DemoPersonRow[]>`
    select id, demo_name, display_name, demo_role, user_id from broker.people
    where sign_in_key_hash = ${hashToken(key)} and demo_name is not null`;
  return signIn(broker, row, call);
}

/**
 * Handles `demoSignIn`: signs a visitor in as a person of the demo by name alone, as the button "Continue as …" does.
 */
export function demoSignIn(broker: BrokerContext): GatedHandler<"visitor", "demoSignIn"> {
  return async ({ principal, body, requestId, address }) => {
    takeFromLimit(broker.signInLimit, addressKey(address));
    const person = (await peopleWithButton(broker.sql)).find(({ demo_name }) => demo_name === body.person);
    const cookie = await signIn(broker, person, { principal, requestId, address });
    return { body: { signed_in: true }, headers: { "Set-Cookie": cookie } };
  };
}

/** Handles `demoPeople`: lists the people of the demo whom a button signs in. */
export function demoPeople({ sql }: BrokerContext): GatedHandler<"visitor", "demoPeople"> {
  return async () => {
    const rows = await peopleWithButton(sql);
    return { body: rows.map((row) => ({ person: row.demo_name, name: row.display_name, role: row.demo_role })) };
  };
}
