import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { Sql } from "../../server/database/connect.ts";
import { createApiClient, createEntity } from "../../server/service/api-clients/api-clients.ts";
import { createClient } from "../../src/client.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import { ORDINARY_SCOPES } from "../../src/contract/shared/scopes.ts";

/** The entity's token and its users, all made through the service. */
export interface People {
  readonly accessToken: string;
  /** Each starts with {@link QUOTA}. */
  readonly userIds: readonly string[];
  /** Starts with nothing. */
  readonly hotUserId: string;
}

/** The quota that each payer starts with, in currency units: more than any run can spend. */
export const QUOTA = 1_000_000_000;

const USERS = 1000;
const AT_ONCE = 50;
const FIRST_PHONE = 3_000_000_000;

async function tokenFor(baseUrl: string, clientId: string, clientSecret: string): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Makes an entity, its API client, a thousand users with quota and one user who will be paid by all of them. */
export async function preparePeople(sql: Sql, baseUrl: string): Promise<People> {
  const entityId = v7();
  const now = new Date();
  const name = "Bench";
  const { clientId, clientSecret } = await sql.begin(async (tx) => {
    await createEntity(tx, { id: entityId, name, now });
    return createApiClient(tx, { entityId, name, scopes: ORDINARY_SCOPES }, { now, randomBytes });
  });
  const accessToken = await tokenFor(baseUrl, clientId, clientSecret);
  const headers = () => ({ authorization: `Bearer ${accessToken}` });
  const client = createClient(serviceContract, { baseUrl, headers });
  const createUser = async (number: number, quota: number): Promise<string> => {
    const phone = `+57${FIRST_PHONE + number}`;
    const { body } = await client.createUser({ body: { name: `User ${number}`, nit: String(number), phone, quota } });
    return body.id;
  };
  const userIds: string[] = [];
  while (userIds.length < USERS) {
    const group = Array.from({ length: AT_ONCE }, (_, index) => createUser(userIds.length + index + 1, QUOTA));
    userIds.push(...(await Promise.all(group)));
  }
  return { accessToken, userIds, hotUserId: await createUser(USERS + 1, 0) };
}
