import { type Client, createClient } from "../../src/client.ts";
import { type ServiceContract, serviceContract } from "../../src/contract/service/service.ts";
import type { FoundUser } from "../../src/contract/service/users.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { requestToken } from "../../src/token-source.ts";
import type { UpstreamOptions } from "../broker/access/broker-options.ts";

/** A user of the demo, with the fields that the service answers. */
export type DemoUser = Pick<FoundUser, "id" | "name" | "business_name" | "nit" | "phone">;

/** The users of the demo: one who pays, and one who is the merchant's. */
export interface DemoUsers {
  readonly payer: DemoUser;
  readonly merchant: DemoUser;
}

const PAYER_QUOTA = 500_000;
/** The quota that the café sells top-ups from. */
const MERCHANT_QUOTA = 300_000;
const TOKEN_TIMEOUT_MS = 10_000;

const payer = {
  name: "Ana Torres",
  nit: "1020304050",
  phone: "+573001234567",
  email: "ana@example.com",
  score: 720,
  quota: PAYER_QUOTA,
  payment_data: { city: "Bogota" },
};

const merchant = {
  name: "Luis Rojas",
  business_name: "Café La Candelaria",
  nit: "900123456-7",
  phone: "+573109876543",
  email: "hola@lacandelaria.example",
  quota: MERCHANT_QUOTA,
  payment_data: { city: "Bogota" },
};

async function findOrCreate(
  client: Client<ServiceContract>,
  person: typeof payer | typeof merchant,
): Promise<DemoUser> {
  try {
    return (await client.user({ query: { nit: person.nit } })).body;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "user_not_found") throw error;
  }
  // The idempotency key makes a concurrent second start wait for the first, and get its answer.
  const key = { idempotencyKey: `demo-user-${person.nit}` };
  return (await client.createUser({ body: person }, key)).body;
}

/**
 * Creates the demo's payer (500 000 of quota) and merchant's user (300 000) through the API, or finds them where they
 * were created before.
 */
export async function seedDemoUsers(options: Omit<UpstreamOptions, "timeoutMs" | "installation">): Promise<DemoUsers> {
  const { token } = await requestToken({ ...options, timeoutMs: TOKEN_TIMEOUT_MS });
  const authorization = `Bearer ${token}`;
  const client = createClient(serviceContract, { baseUrl: options.baseUrl, headers: () => ({ authorization }) });
  return { payer: await findOrCreate(client, payer), merchant: await findOrCreate(client, merchant) };
}
