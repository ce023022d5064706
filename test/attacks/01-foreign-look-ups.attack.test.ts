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

/** A user of the owner of whom there is much to know. */
async function aKnownUser() {
  count += 1;
  const nit = `77000${count}`;
  const phone = `+5730077000${String(count).padStart(2, "0")}`;
  const secrets = { email: "ana@example.com", address: "Calle 1", score: 700, payment_data: { account: "A-1" } };
  const image = "https://example.com/ana.png";
  const id = await owner.aUser({ name: "Ana", business_name: "Ana SAS", nit, phone, image, quota: 1_234, ...secrets });
  return { id, nit, phone };
}

/** The least credit that there is. */
const buyIn = (id: string) =>
  stranger.post("/add-quota", { id, amount: "0.01", loan_type: "default", payment_date: DUE });

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
    for (let round = 0; round < 30; round += 1) {
      const numbers = Array.from({ length: 10 }, (_, n) => `+57311${String(1_000_000 + round * 10 + n)}`);
      await Promise.all(numbers.map((number) => guesser.get("/user", { phone: number })));
    }
    const { body } = await guesser.get("/user", { phone });
    expect(body.name).toBeUndefined();
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
