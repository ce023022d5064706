import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { User } from "../../src/contract/service/users.ts";
import { openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let shop: string;
let count = 0;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  await openToLenders([fintech, other]);
  raw = await rawClient(service, fintech);
  shop = (await aUser(other, { name: "Café" })).id;
});
afterAll(() => service.stop());

const whole = {
  name: "Ana Torres",
  address: "Calle 1",
  business_name: "Torres SAS",
  email: "ana@example.com",
  image: "https://example.com/ana.png",
  score: 700,
  status: "active" as const,
  quota: 100,
  payment_data: { bank: "one", city: "Cali" },
};
let user: User;

/** Reads a user as get-user shows it to its creator, without `yours`: as update-user answers it. */
async function find({ client }: TestEntity, query: { id?: string; nit?: string; phone?: string }): Promise<User> {
  const { yours: _, ...found } = (await client.user({ query })).body;
  return found as User;
}

beforeEach(async () => {
  count += 1;
  const body = { ...whole, nit: `upd-${count}`, phone: `+5730055500${String(count).padStart(2, "0")}` };
  const { id } = (await fintech.client.createUser({ body })).body;
  user = await find(fintech, { id });
});

const update = async (changes: object): Promise<User> =>
  (await fintech.client.updateUser({ body: { id: user.id, ...changes } })).body as User;
const read = (entity = fintech): Promise<User> => find(entity, { id: user.id });

async function pay(amount: number) {
  const body = { amount, from_user_id: user.id, to_user_id: shop };
  return (await fintech.client.createTransaction({ body })).body;
}

describe("update-user", () => {
  const changes: readonly (readonly [string, object, object])[] = [
    ["address", { address: "Carrera 7" }, { address: "Carrera 7" }],
    ["bussines_name", { bussines_name: "Ñandú" }, { bussines_name: "Ñandú", business_name: "Ñandú" }],
    ["email", { email: "new@example.com" }, { email: "new@example.com" }],
    ["image", { image: "data:image/png;base64,AAAA" }, { image: "data:image/png;base64,AAAA" }],
    ["name", { name: "Ana María" }, { name: "Ana María" }],
    ["nit", { nit: "new.nit-9" }, { nit: "NEWNIT9" }],
    ["phone", { phone: "(601) 555 0000" }, { phone: "+576015550000" }],
    ["score", { score: 0 }, { score: 0 }],
    ["status", { status: "default" }, { status: "default" }],
    ["payment_data", { payment_data: { bank: "two" } }, { payment_data: { bank: "two" } }],
    ["nothing", {}, {}],
  ];
  it.each(changes)("changes %s when it is sent, and only that", async (_, sent, expected) => {
    expect(await update(sent)).toEqual({ ...user, ...expected });
    expect(await read()).toEqual({ ...user, ...expected });
  });

  it("changes all of them at once, and finds the user by its new nit and phone", async () => {
    const sent = { nit: "all-1", phone: "3007770001", name: "B", status: "arrear" as const, score: 1 };
    const changed = await update({ ...sent, id: user.id.toUpperCase() });
    expect(changed).toEqual({ ...user, ...sent, nit: "ALL1", phone: "+573007770001" });
    expect((await fintech.client.user({ query: { nit: "all1" } })).body.id).toBe(user.id);
    expect((await fintech.client.user({ query: { phone: "300 777 0001" } })).body.id).toBe(user.id);
    await expect(fintech.client.user({ query: { nit: user.nit } })).rejects.toMatchObject({ code: "user_not_found" });
  });

  it("empties with null what a user need not have", async () => {
    const empty = { address: null, bussines_name: null, email: null, image: null, score: null };
    expect(await update(empty)).toEqual({ ...user, ...empty, business_name: null });
    expect(await refusalOf(await raw("updateUser", { body: { id: user.id, name: null, nit: null } }))).toEqual([
      ...["invalid_request", "/name", "/nit"],
    ]);
  });

  it("answers the balance, with what is held, and moves none", async () => {
    const body = { amount: 30, from_user_id: user.id, to_user_id: shop, status: "pending" as const };
    await fintech.client.createTransaction({ body });
    expect(await update({ score: 5 })).toMatchObject({ quota: 100, quota_available: 70 });
    await expectSoundBooks(service);
  });

  it("leaves the names of old payments as they were, and writes the new one in new payments", async () => {
    const before = await pay(1);
    await update({ name: "Renamed", bussines_name: "New SAS" });
    const found = (await fintech.client.transaction({ query: { id: before.id } })).body;
    expect(found).toMatchObject({ from_user: "Ana Torres", from_business_name: "Torres SAS" });
    expect(await pay(1)).toMatchObject({ from_user: "Renamed", from_business_name: "New SAS" });
    const body = { amount: 1, from_user_id: user.id, to_user_id: shop, from_user: "Ana Torres" };
    await expect(fintech.client.createTransaction({ body })).rejects.toMatchObject({ code: "name_mismatch" });
  });

  it("takes the user's own nit and phone for no duplicate, and frees the old ones", async () => {
    const { nit, phone } = user;
    expect(await update({ nit, phone })).toEqual(user);
    await update({ nit: `moved-${count}`, phone: "3008880001" });
    const next = { name: "Luz", nit, phone };
    expect((await fintech.client.createUser({ body: next })).body).toMatchObject({ nit, phone });
  });

  it("answers the same again for the same key, and changes once", async () => {
    const headers = { "idempotency-key": `update-${user.id}` };
    const call = { body: { id: user.id, name: "First" }, headers };
    const first = await (await raw("updateUser", call)).json();
    await update({ name: "Second" });
    const again = await raw("updateUser", call);
    expect([again.headers.get("idempotent-replayed"), await again.json()]).toEqual(["true", first]);
    expect((await read()).name).toBe("Second");
  });
});

describe("the history that update-user keeps", () => {
  it("follows the service's own, marked as imported, and is replaced by the next one that is sent", async () => {
    const paid = await pay(1);
    const own = [
      { id: "A-1", amount: 5, when: "2019" },
      { note: "no id", source: "elsewhere" },
    ];
    const changed = await update({ history: own });
    const imported = own.map((record) => ({ ...record, source: "imported" }));
    expect(changed.history).toEqual([paid, ...imported]);
    expect((await read()).history).toEqual([paid, ...imported]);
    expect((await update({ name: "Ana" })).history).toEqual([paid, ...imported]);
    expect((await update({ history: [own[0]] })).history).toEqual([paid, imported[0]]);
    expect((await update({ history: [] })).history).toEqual([paid]);
    await expectSoundBooks(service);
  });

  it("leaves out the user's own transactions, however they are spelled, and keeps what was read", async () => {
    const paid = await pay(1);
    const foreign = { id: NOBODY, amount: 7 };
    const sent = [paid, { ...paid, id: paid.id.toUpperCase(), amount: 9_999 }, foreign];
    const { history } = await update({ history: sent });
    expect(history).toEqual([paid, { ...foreign, source: "imported" }]);
    expect((await update({ history })).history).toEqual(history);
  });

  it("keeps numbers and texts exactly as they were sent", async () => {
    const body = `{"id":"${user.id}","history":[{"big":12345678901234567890.5,"t":"\\ud83d\\ude00"}]}`;
    const answer = await (await raw("updateUser", { text: body })).text();
    expect(answer).toContain('{"big":12345678901234567890.5,"t":"😀","source":"imported"}');
  });

  it("moves no money, enters no list and no summary, and is told to the creator alone", async () => {
    const record = { id: "A-1", amount: 5, status: "approved", to_user_id: shop };
    const before = await standing(service);
    await update({ history: [record] });
    expect(await standing(service)).toEqual(before);
    const query = { "user-id": user.id };
    expect((await fintech.client.transactionHistory({ query: { ...query, direction: "all" } })).body).toEqual([]);
    expect((await fintech.client.transactionSummary({ query })).body).toEqual([]);
    expect((await read(other)).history).toEqual([]);
    const quota = { id: user.id, amount: "1", loan_type: "default", payment_date: "2900-01-01" };
    await other.client.addQuota({ body: quota });
    expect((await read(other)).history).toEqual([]);
  });

  it("holds 50 records and 16 KiB, and no more", async () => {
    const many = (length: number) => Array.from({ length }, (_, n) => ({ n }));
    expect((await update({ history: many(50) })).history).toHaveLength(50);
    const refused = async (history: unknown) => refusalOf(await raw("updateUser", { body: { id: user.id, history } }));
    expect(await refused(many(51))).toEqual(["invalid_request", "/history"]);
    expect(await refused([{ a: "x".repeat(9_000) }, { a: "x".repeat(9_000) }])).toEqual([
      ...["invalid_request", "/history"],
    ]);
    expect(await refused([{}, "text", null])).toEqual(["invalid_request", "/history/1", "/history/2"]);
    expect((await read()).history).toHaveLength(50);
  });
});

describe("update-user refuses, in this order", () => {
  const refused = async (body: object) => refusalOf(await raw("updateUser", { body }));

  it("every fault at once, and says where quota and the business name go", async () => {
    const wrong = { id: "7", name: "", nit: "a b", phone: 7, score: 1_001, status: "late", email: "x", image: "x" };
    const places = Object.keys(wrong).map((field) => `/${field}`);
    expect(await refused({ ...wrong, other: 1 })).toEqual(["invalid_request", ...[...places, "/other"].sort()]);
    expect(await refused({ id: user.id, phone: "12" })).toEqual(["invalid_request", "/phone"]);
    const misplaced = { id: user.id, quota: 5, business_name: "x", blocked: true, apn_token: "x" };
    const { errors } = await (await raw("updateUser", { body: misplaced })).json();
    expect(errors).toEqual([
      { pointer: "/quota", detail: "is changed by add-quota and discharge-quota" },
      { pointer: "/business_name", detail: "is spelled bussines_name in update-user" },
      { pointer: "/blocked", detail: "is changed by block-user and unblock-user" },
      { pointer: "/apn_token", detail: "is assigned by the service: leave it out" },
    ]);
    expect(await read()).toEqual(user);
  });

  it("an unknown user, another's user, and what identifies somebody else, naming each", async () => {
    const [theirs, neighbour] = [await aUser(other), await aUser(fintech)];
    const taken = { nit: neighbour.nit, phone: neighbour.phone };
    expect(await refused({ id: NOBODY, ...taken })).toEqual(["user_not_found"]);
    expect(await refused({ id: theirs.id, ...taken })).toEqual(["user_not_yours"]);
    expect(await refused({ id: user.id, ...taken })).toEqual(["duplicate_user", "/nit", "/phone"]);
    expect(await refused({ id: user.id, nit: theirs.nit, name: "X" })).toEqual(["duplicate_user", "/nit"]);
    expect(await refused({ id: user.id, phone: theirs.phone })).toEqual(["duplicate_user", "/phone"]);
    expect(await read()).toEqual(user);
  });

  it("one of two users who want one nit at the same moment", async () => {
    const second = await aUser(fintech);
    const wanted = [user.id, second.id].map((id) => raw("updateUser", { body: { id, nit: `both-${count}` } }));
    const statuses = (await Promise.all(wanted)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
  });
});
