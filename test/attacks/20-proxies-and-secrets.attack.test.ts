import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

type Configuration = typeof import("../../server/config/config.ts");

/** More wrong secrets than one address may send in a minute. */
const MANY = 80;

let target: Target;
let fintech: EntityCaller;
let anybody: HttpCaller;

beforeAll(async () => {
  target = await Target.start();
  fintech = await target.entity("Fintech");
  anybody = new HttpCaller(target.product.demo.auth_url, () => ({}));
});
afterAll(() => target?.remove());

const ask = (client_id: string, client_secret: string) => anybody.post("/oauth2/token", { client_id, client_secret });

async function guess(clientId: (index: number) => string): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: MANY }, (_, index) => ask(clientId(index), "cs_wrong")));
  return answers.map(({ status }) => status);
}

describe("20: wrong secrets from an address that others share, as behind a proxy or on one machine", () => {
  attack("lock out a client whose secret is right", async () => {
    await guess(() => fintech.credentials.client_id);
    const { client_id, client_secret } = fintech.credentials;
    expect((await ask(client_id, client_secret)).status).toBe(200);
  });

  attack("lock out the other clients of that address, the broker among them", async () => {
    await guess((index) => `client_${String(index).padStart(16, "0")}`);
    const { client_id, client_secret } = target.product.demo;
    expect((await ask(client_id, client_secret)).status).toBe(200);
  });

  it("are limited", async () => {
    expect(await guess(() => fintech.credentials.client_id)).toContain(429);
  });
});

describe("20: trusted proxies", () => {
  attack("are the whole internet, of which anybody then claims any address", async () => {
    const { readConfig } = await Target.load<Configuration>("server/config/config.ts", "server/config.ts");
    const started = ["0.0.0.0/0", "::/0", "10.0.0.1,0.0.0.0/0"].filter((CUPO_TRUSTED_PROXIES) => {
      try {
        readConfig({ CUPO_TRUSTED_PROXIES }, "all");
        return true;
      } catch {
        return false;
      }
    });
    expect(started).toEqual([]);
  });

  it("are those that are named", async () => {
    const { readConfig } = await Target.load<Configuration>("server/config/config.ts", "server/config.ts");
    const { trustedProxies } = readConfig({ CUPO_TRUSTED_PROXIES: "10.0.0.1, 192.168.0.0/16" }, "all");
    expect(trustedProxies).toEqual(["10.0.0.1", "192.168.0.0/16"]);
  });
});
