import { seedDemoBroker } from "../broker/demo/seed-demo-broker.ts";
import type { Config } from "../config/config.ts";
import type { Sql } from "../database/connect.ts";
import { writeSecret } from "../database/keep-secret.ts";
import type { OwnApiClient } from "../runtime/own-api-client.ts";
import { demoFile } from "./demo-file.ts";
import { type DemoUser, seedDemoUsers } from "./seed-demo-users.ts";

/** The dependencies of seeding the demo. */
export interface SeedDemoOptions {
  readonly config: Config;
  readonly client: OwnApiClient;
  readonly brokerSql: Sql;
  readonly database: { readonly url: string; readonly key: Uint8Array };
  readonly clock: () => Date;
  readonly newId: () => string;
}

function personOf({ id, name, nit, phone }: DemoUser, signInUrl: string | undefined) {
  return { id, name, nit, phone, sign_in_url: signInUrl };
}

/** Where to find the demo's people. */
export interface SeededDemo {
  /** `demo.json`. */
  readonly file: string;
  /** The secret sign-in address of the demo's operator, who may only view. */
  readonly operatorUrl: string;
}

/** Makes the demo's people and shop, the first time, and writes `demo.json` (mode 0600). */
export async function seedDemo(options: SeedDemoOptions): Promise<SeededDemo> {
  const { config, client, brokerSql, database, clock, newId } = options;
  const { baseUrl, authUrl, publicOrigin } = config;
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
  return { file: path, operatorUrl: signInUrls.operator ?? "" };
}
