import { createECDH } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const QUOTA = 100_000;
const SHOP = "https://shop.example";
/** A person is notified of a change at once, or within ten seconds if the process died before it did so. */
const [TRIES, TRY_MS] = [60, 200];

let target: Target;
let own: EntityCaller;
let payee: string;
/** A merchant without special powers. */
let merchantId: string;
let backend: HttpCaller;

beforeAll(async () => {
  target = await Target.start();
  own = await target.own();
  payee = await own.aUser();
  const shop = ["--name", "Curious", "--user-id", payee, "--origin", SHOP];
  const made = await target.commandJson<{ id: string; server_key: string }>("merchant", "create", ...shop);
  merchantId = made.id;
  backend = new HttpCaller(target.origin, () => ({ authorization: `Bearer ${made.server_key}` }));
});
afterAll(() => target?.remove());

async function aPerson(): Promise<{ user: string; owner: AppBrowser; thief: AppBrowser }> {
  const user = await own.aUser({ quota: QUOTA });
  const owner = await target.invite(user);
  // The thief has the cookie and no passkey.
  return { user, owner, thief: target.browser().useCookie(owner.cookie) };
}

async function pay(owner: AppBrowser, amount: number): Promise<void> {
  const code = await own.post("/create-transaction-qr", { to_user_id: payee, amount });
  await owner.pay({ payload: code.body.payload });
}

/** The status of a session that shows a person's quota. */
const showQuota = async (user: string) =>
  (await backend.post("/v1/sessions", { kind: "quota", origin: SHOP, user })).status;

/** Subscribes a person's browsers to push at this machine: a message that is tried counts as failed. */
async function subscribe(user: string): Promise<void> {
  const p256dh = createECDH("prime256v1").generateKeys("base64url");
  await target.sql`
    insert into broker.push_subscriptions
      (id, session_hash, person_id, endpoint, p256dh, auth, language, created_at)
    select gen_random_uuid(), s.token_hash, p.id, 'https://127.0.0.1:9/' || s.id, ${p256dh}, ${"A".repeat(22)}, 'es',
      now()
    from broker.people p join broker.sign_in_sessions s on s.person_id = p.id and s.ended_at is null
    where p.user_id = ${user}`;
}

const triedToTell = async (user: string): Promise<number> => {
  const [row] = await target.sql<{ failures: number }[]>`
    select sum(u.failures)::int as failures from broker.push_subscriptions u join broker.people p on p.id = u.person_id
    where p.user_id = ${user}`;
  return row?.failures ?? 0;
};

describe("a thief with a cookie", () => {
  attack("lets a merchant see the quota and the movements, without the passkey", async () => {
    const { user, thief } = await aPerson();
    await thief.post("/v1/me/grants", { merchant_id: merchantId });
    expect(await showQuota(user)).not.toBe(201);
  });

  attack("stops the owner from paying, by a limit of 1", async () => {
    const { user, owner, thief } = await aPerson();
    await thief.put("/v1/me/limits", { payment: 1, day: 1, first_time_payee: 1 });
    await pay(owner, 30_000);
    expect(await own.available(user)).toBe(QUOTA - 30_000);
  });
});

describe("a thief with a cookie who is not to be heard of", () => {
  attack("pushes the owner's browser out of those that are told, by ones that are made up", async () => {
    const { user, thief } = await aPerson();
    await subscribe(user);
    const p256dh = createECDH("prime256v1").generateKeys("base64url");
    for (let made = 0; made < 12; made += 1) {
      const keys = { p256dh, auth: "A".repeat(22) };
      await thief.post("/v1/me/push", { endpoint: `https://1.1.1.1/${user}-${made}`, keys, language: "es" });
    }
    const kept = await target.sql`
      select from broker.push_subscriptions u join broker.people p on p.id = u.person_id
      where p.user_id = ${user} and u.endpoint like 'https://127.0.0.1%' and u.ended_at is null`;
    expect(kept).toHaveLength(1);
  });

  attack("gives a device another name while the owner's other browser hears nothing of it", async () => {
    const { user, owner, thief } = await aPerson();
    const other = target.browser();
    const { body } = await other.post("/v1/sign-in/start");
    await other.post("/v1/sign-in", { credential: owner.passkey?.assert(body.options) });
    await subscribe(user);
    const [device] = (await thief.get("/v1/me/devices")).body;
    await thief.post(`/v1/me/devices/${device.id}/rename`, { name: "Old phone (stolen, remove me)" });
    for (let tries = 0; tries < TRIES && (await triedToTell(user)) === 0; tries += 1) await delay(TRY_MS);
    expect(await triedToTell(user)).toBeGreaterThan(0);
  });
});

describe("the owner", () => {
  it("lowers a limit as far as it still lets them pay, and raises it, with the passkey", async () => {
    await target.command("operator", "rules", "--payment-limit", "50000");
    const { user, owner } = await aPerson();
    await owner.put("/v1/me/limits", { payment: 10_000 });
    const raised = await owner.put("/v1/me/limits", { payment: 40_000, proof: await owner.proof("raise_limits") });
    expect(raised.body.payment.own).toBe(40_000);
    await pay(owner, 30_000);
    expect(await own.available(user)).toBe(QUOTA - 30_000);
    await target.command("operator", "rules", "--payment-limit", "none");
  });
});

describe("a thief with the phone", () => {
  attack("adds a device of their own while the owner's other device hears nothing of it", async () => {
    const { user, owner } = await aPerson();
    await subscribe(user);
    const { body } = await owner.post("/v1/me/devices/invite", { proof: await owner.proof("invite_device") });
    const stolen = target.browser();
    await stolen.enrol(body);
    const link = await stolen.post("/v1/me/devices/invite", { proof: await stolen.proof("invite_device") });
    await target.browser().enrol(link.body);
    for (let tries = 0; tries < TRIES && (await triedToTell(user)) === 0; tries += 1) await delay(TRY_MS);
    expect(await triedToTell(user)).toBeGreaterThan(0);
  });
});

describe("a merchant", () => {
  attack("shows the quota for ever by a leave that was given once", async () => {
    const { user, owner } = await aPerson();
    const proof = await owner.post("/v1/me/proofs", { purpose: "grant" });
    const asked = { merchant_id: merchantId };
    if (proof.status >= 300) await owner.post("/v1/me/grants", asked);
    else {
      const { proof_id, options } = proof.body;
      await owner.post("/v1/me/grants", { ...asked, proof: { proof_id, credential: owner.passkey?.assert(options) } });
    }
    expect(await showQuota(user)).toBe(201);
    await passHalfAYear();
    expect(await showQuota(user)).not.toBe(201);
  });

  /** Moves every timestamp of the grants half a year back. */
  async function passHalfAYear(): Promise<void> {
    const columns = await target.sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_schema = 'broker' and table_name = 'grants' and data_type like 'timestamp%'`;
    for (const { name } of columns) {
      await target.sql`update broker.grants set ${target.sql(name)} = ${target.sql(name)} - interval '183 days'`;
    }
  }
});
