import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

const DUE = "2900-01-01";

let target: Target;
let owner: EntityCaller;
let stranger: EntityCaller;
let foreign: string;
let count = 0;

beforeAll(async () => {
  target = await Target.start();
  owner = await target.entity("Owner");
  stranger = await target.entity("Stranger");
  foreign = await stranger.aUser({ quota: 50 });
});
afterAll(() => target?.remove());

/** Makes a user of the owner with many personal fields. */
async function aKnownUser() {
  count += 1;
  const nit = `77000${count}`;
  const phone = `+5730077000${String(count).padStart(2, "0")}`;
  const secrets = { email: "ana@example.com", address: "Calle 1", score: 700, payment_data: { account: "A-1" } };
  const image = "https://example.com/ana.png";
  const id = await owner.aUser({ name: "Ana", business_name: "Ana SAS", nit, phone, image, quota: 1_234, ...secrets });
  return { id, nit, phone };
}

/** Grants the user the least credit that there is. */
const buyIn = (id: string) =>
  stranger.post("/add-quota", { id, amount: "0.01", loan_type: "default", payment_date: DUE });

/** Lets every entity lend to the owner's users: on a version before `lenders` each may. */
async function openOwner(): Promise<void> {
  await (await owner.asAdministrator()).put("/entity-settings", { lenders: "all" });
}

/** Sends requests until one is refused as too many, or all of them were sent; answers the status of each. */
async function sendAll(count: number, send: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count && !statuses.includes(429); sent += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => send(sent + n)));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

/** Sends a request thirty times at once: a limit that refills slowly refuses some, however slow the machine is. */
function thirtyTimes<T>(send: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 30 }, send));
}

const seen = async (id: string) => (await stranger.get("/user", { id })).body;

describe("01: a user is told of to another entity than its creator", () => {
  attack("its quota is had for nothing", async () => {
    const { id } = await aKnownUser();
    const { quota, quota_available, score } = await seen(id);
    expect({ quota, quota_available, score }).toEqual({ quota: null, quota_available: null, score: null });
  });

  attack("its phone, nit and image are had for its id", async () => {
    const { id } = await aKnownUser();
    const { phone = null, nit = null, image = null } = await seen(id);
    expect({ phone, nit, image }).toEqual({ phone: null, nit: null, image: null });
  });

  attack("everything is had for a credit of 0.01", async () => {
    const { id } = await aKnownUser();
    await buyIn(id);
    const { email = null, address = null, score = null, quota = null, payment_data = null } = await seen(id);
    const told = { email, address, score, quota, payment_data };
    expect(told).toEqual({ email: null, address: null, score: null, quota: null, payment_data: null });
  });

  attack("a preview tells the balance", async () => {
    const { id } = await aKnownUser();
    const lending = { id, amount: "1", loan_type: "default", payment_date: DUE };
    const { body } = await stranger.post("/preview-add-quota", lending);
    expect(body.quota ?? null).toBeNull();
  });

  attack("holds of many amounts, each released, tell the balance", async () => {
    const rich = await stranger.aUser({ quota: 9_999_999_999_999.99 });
    const { id } = await aKnownUser();
    let [least, most] = [0n, 10n ** 15n - 1n];
    while (least < most) {
      const middle = (least + most + 1n) / 2n;
      const hold = { amount: Number(middle) / 100, from_user_id: rich, to_user_id: id, status: "pending" };
      const { body } = await stranger.post("/create-transaction", hold);
      if (body.status === "pending") await stranger.post("/settle-transaction", { id: body.id, status: "rejected" });
      if (body.reason === "balance_limit") most = middle - 1n;
      else least = middle;
    }
    expect(Number(10n ** 15n - 1n - least) / 100).not.toBe(1_234);
  });

  attack("phones are tried one after the other, without end, until one is somebody's", async () => {
    const guesser = await target.entity("Guesser");
    const { phone } = await aKnownUser();
    const guess = (n: number) => guesser.get("/user", { phone: `+57311${1_000_000 + n}` });
    await sendAll(300, guess);
    const answers = await thirtyTimes(() => guesser.get("/user", { phone }));
    expect(answers.every(({ body }) => body.name !== undefined)).toBe(false);
  });

  attack("nobody can say afterwards who looked whom up", async () => {
    const { id } = await aKnownUser();
    await stranger.get("/user", { id });
    const records = await target.sql`select outcome from service.access_records where subject = ${id}`;
    expect(records.map(({ outcome }) => outcome)).toEqual(["done"]);
  });

  it("tells who is paid, the set status, and the payments between the two", async () => {
    const { id } = await aKnownUser();
    const paid = await stranger.post("/create-transaction", { amount: 2, from_user_id: foreign, to_user_id: id });
    await owner.post("/create-transaction", { amount: 1, from_user_id: id, to_user_id: await owner.aUser() });
    const user = await seen(id);
    expect(user).toMatchObject({ id, name: "Ana", business_name: "Ana SAS", status: "active" });
    expect(user.history.map((each: { id: string }) => each.id)).toEqual([paid.body.id]);
  });

  it("keeps every field of the interface, and tells the creator all of it", async () => {
    const { id } = await aKnownUser();
    const fields = ["id", "name", "business_name", "nit", "phone", "email", "address", "image", "quota", "score"];
    const all = [...fields, "status", "history", "payment_data"];
    expect(Object.keys(await seen(id))).toEqual(expect.arrayContaining(all));
    const { body } = await owner.get("/user", { id });
    expect(body).toMatchObject({
      quota: 1_234,
      score: 700,
      email: "ana@example.com",
      payment_data: { account: "A-1" },
    });
  });
});

describe("01: what a user has is told to another entity than its creator", () => {
  attack("previews of a discharge tell the balance to the cent", async () => {
    await openOwner();
    const lender = await target.entity("Lender");
    const { id } = await aKnownUser();
    await lender.post("/add-quota", { id, amount: "1000", loan_type: "default", payment_date: DUE });
    const shop = await owner.aUser();
    await owner.post("/create-transaction", { amount: 1_500.75, from_user_id: id, to_user_id: shop });
    let [least, most] = [0n, 100_000n];
    while (least < most) {
      const middle = (least + most + 1n) / 2n;
      const { status } = await lender.post("/preview-discharge-quota", { id, amount: String(Number(middle) / 100) });
      if (status === 200) least = middle;
      else most = middle - 1n;
    }
    expect(Number(least) / 100).not.toBe(733.25);
  });

  attack("discharges of more than it has are tried without end, and leave no record", async () => {
    await openOwner();
    const lender = await target.entity("Patient lender");
    const { id } = await aKnownUser();
    await lender.post("/add-quota", { id, amount: "1000", loan_type: "default", payment_date: DUE });
    const shop = await owner.aUser();
    await owner.post("/create-transaction", { amount: 1_500, from_user_id: id, to_user_id: shop });
    const statuses = await sendAll(300, () => lender.post("/discharge-quota", { id, amount: "999" }));
    expect(statuses).toContain(429);
    const records = await target.sql`select 1 from service.access_records where subject = ${id} and outcome = 'done'`;
    expect(records.length).toBeGreaterThan(0);
  });

  attack("statistics say on which day it moved money among others", async () => {
    await openOwner();
    const lender = await target.entity("Watching lender");
    const { id } = await aKnownUser();
    await lender.post("/add-quota", { id, amount: "1", loan_type: "default", payment_date: DUE });
    await moveBack(id);
    const active = async () => (await lender.get("/get-client-statistics", { uid: id })).body.active;
    const before = await active();
    const shop = await owner.aUser();
    await owner.post("/create-transaction", { amount: 10, from_user_id: id, to_user_id: shop });
    expect([before, await active()]).toEqual([0, 0]);
  });
});

/** Moves all postings of a user's account so far half a year back. */
async function moveBack(id: string): Promise<void> {
  await target.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update service.postings set business_day = business_day - 180
      where id in (select posting_id from service.entries where account_id = ${id})`;
    await tx`update service.account_days set day = day - 180 where account_id = ${id}`;
    await tx`update service.accounts set active_on = active_on - 180 where id = ${id}`;
  });
}

describe("01: a nit or phone is told, or guessed", () => {
  attack("a payment code that anybody makes tells the payee's nit and city", async () => {
    const nit = "987654321";
    const id = await owner.aUser({ nit, phone: "+573007712345", payment_data: { city: "Leticia" } });
    const { body } = await stranger.post("/create-transaction-qr", { to_user_id: id });
    expect(body.payload).not.toContain(nit);
    expect(body.payload).not.toContain("Leticia");
    expect(body.payload).toMatch(/^000201/);
  });

  attack("nits are tried beside an id, without end, until one is right", async () => {
    const guesser = await target.entity("Nit guesser");
    const { id, nit } = await aKnownUser();
    const guess = (tried: string) => guesser.post("/preview-discharge-quota", { id, nit: tried, amount: "1" });
    const statuses = await sendAll(300, (n) => guess(String(88_000_000 + n)));
    expect([...statuses, (await guess(nit)).status]).toContain(429);
  });

  attack("phones are tried by registering them, until one is somebody's", async () => {
    const guesser = await target.entity("Registrar");
    const { phone } = await aKnownUser();
    const nit = "66000001";
    await guesser.aUser({ nit, phone: "+573156600001" });
    const guess = (tried: string) => guesser.post("/create-user", { name: "Nobody", nit, phone: tried });
    await sendAll(300, (n) => guess(`+57316${1_000_000 + n}`));
    const answers = await thirtyTimes(() => guess(phone));
    const pointers = answers.map(({ body }) => (body.errors ?? []).map((error: { pointer: string }) => error.pointer));
    expect(pointers.every((of) => of.includes("/phone"))).toBe(false);
  });

  attack("phones are tried by giving them to a user, until one is somebody's", async () => {
    const guesser = await target.entity("Changer");
    const { phone } = await aKnownUser();
    const id = await guesser.aUser();
    const give = (tried: string) => guesser.post("/update-user", { id, phone: tried });
    const free = (n: number) => give(`+57317${1_000_000 + n}`);
    await sendAll(300, free);
    const answers = await thirtyTimes(() => give(phone));
    expect(answers.every(({ body }) => body.code === "duplicate_user")).toBe(false);
  });

  attack("phones are tried without end: each new client begins anew", async () => {
    const { phone } = await aKnownUser();
    const heads: EntityCaller[] = [];
    for (let head = 0; head < 4; head += 1) heads.push(await target.entity("Hydra"));
    const free = (head: EntityCaller) => (n: number) => head.get("/user", { phone: `+57318${1_000_000 + n}` });
    for (const head of heads) await sendAll(100, free(head));
    const fresh = await target.entity("Hydra");
    await Promise.all(heads.map((head) => sendAll(100, free(head))));
    const answers = await thirtyTimes(() => fresh.get("/user", { phone }));
    expect(answers.every(({ body }) => body.name !== undefined)).toBe(false);
  });
});
