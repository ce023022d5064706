import { ORDINARY_SCOPES } from "../../src/contract/shared/scopes.ts";
import { seedDemoBroker } from "../broker/demo/seed-demo-broker.ts";
import type { Config } from "../config/config.ts";
import type { Sql } from "../database/connect.ts";
import { writeSecret } from "../database/keep-secret.ts";
import { type OwnApiClientOptions, ownApiClient } from "../runtime/own-api-client.ts";
import { DEMO_CLIENT, demoFile } from "./demo-file.ts";
import { type DemoUser, seedDemoUsers } from "./seed-demo-users.ts";

/**
 * The dependencies of seeding the demo: the databases of the service and the broker, and the entity of its API client.
 */
export interface SeedDemoOptions extends Omit<OwnApiClientOptions, "name" | "scopes"> {
  readonly config: Config;
  readonly brokerSql: Sql;
  readonly database: { readonly url: string; readonly key: Uint8Array };
  readonly newId: () => string;
}

function personOf({ id, name, nit, phone }: DemoUser, signInUrl: string | undefined) {
  return { id, name, nit, phone, sign_in_url: signInUrl };
}

interface Address {
  readonly what: string;
  readonly url: string;
}

/**
 * Makes the demo's API client, people and shop where they are missing, and writes `demo.json` (mode 0600). Returns the
 * address of the shop, the secret address that signs in the demo's operator, who may only view, and the path of that
 * file.
 */
export async function seedDemo(options: SeedDemoOptions): Promise<Record<"shop" | "operator" | "file", Address>> {
  const { config, brokerSql, database, clock, newId } = options;
  const { baseUrl, authUrl, publicOrigin } = config;
  const client = await ownApiClient({ ...options, name: DEMO_CLIENT, scopes: ORDINARY_SCOPES });
  const { payer, merchant } = await seedDemoUsers({ ...client, baseUrl, authUrl });
  const { merchantKeys, signInUrls } = await seedDemoBroker({
    sql: brokerSql,
    key: database.key,
    publicOrigin,
    clock,
    newId,
    people: [
      { person: "payer", name: payer.name.split(" ", 1).join(), role: "payer", userId: payer.id },
      { person: "merchant", name: merchant.business_name ?? merchant.name, role: "merchant", userId: merchant.id },
      { person: "operator", name: "Operador", role: "operator", operatorRole: "viewer" },
      { person: "admin", name: "Operador", role: "operator", operatorRole: "admin" },
    ],
    merchant: { userId: merchant.id, name: merchant.business_name ?? merchant.name, origins: [publicOrigin] },
  });
  const path = demoFile(config.dataDir);
  const demo = {
    app: publicOrigin,
    base_url: baseUrl,
    auth_url: authUrl,
    client_id: client.clientId,
    client_secret: client.clientSecret,
    financial_entity_id: client.entityId,
    users: { payer: personOf(payer, signInUrls.payer), merchant: personOf(merchant, signInUrls.merchant) },
    operator: { sign_in_url: signInUrls.operator, admin_sign_in_url: signInUrls.admin },
    merchant_keys: { publishable_key: merchantKeys.publishableKey, server_key: merchantKeys.serverKey },
    database_url: database.url,
  };
  writeSecret(path, JSON.stringify(demo, null, 2));
  return {
    shop: { what: "open this first: a shop that is paid by QR", url: `${publicOrigin}/demo/` },
    operator: { what: "signs in the demo's operator, who looks: a secret", url: signInUrls.operator ?? "" },
    file: { what: "keys and people of the demo", url: path },
  };
}
