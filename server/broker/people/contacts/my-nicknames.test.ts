import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
let ana: PersonClient;
let ben: PersonClient;

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  [ana, ben] = [await broker.as("payer"), await broker.as("other")];
  const body = { from_user_id: broker.ana.id, to_user_id: broker.ben.id, amount: 100 };
  await broker.entity.client.createLedgerTransaction({ body });
  await Promise.all([ana, ben].map((person) => person.myTransfers({ query: {} })));
});
afterAll(() => broker.stop());

const put = (person: PersonClient, id: string, nickname: string | null) =>
  person.putMyNickname({ params: { user_id: id }, body: { nickname } });
const listed = async (person: PersonClient) => (await person.myNicknames({})).body;
const opened = async (person: PersonClient, id: string) =>
  (await person.openApproval({ body: { contact_id: id, amount: 1 } })).body;

describe("a nickname", () => {
  it("follows the person to every device, the last one written, and goes when it is taken away", async () => {
    const other = await broker.as("payer");
    await put(ana, broker.ben.id, "Vecino");
    expect((await put(other, broker.ben.id, " Compañero ")).body).toEqual({
      user_id: broker.ben.id,
      nickname: "Compañero",
    });
    expect(await listed(ana)).toEqual([{ user_id: broker.ben.id, nickname: "Compañero" }]);
    await put(ana, broker.ben.id, null);
    expect(await listed(other)).toEqual([]);
  });

  it("stands beside the name on an open approval, never in its place, and in nothing that others see", async () => {
    await put(ana, broker.ben.id, "Compañero");
    expect(await opened(ana, broker.ben.id)).toMatchObject({ payee: "Ben R.", nickname: "Compañero" });
    const theirs = [await listed(ben), (await ben.myTransfers({ query: {} })).body, await opened(ben, broker.ana.id)];
    expect(JSON.stringify(theirs)).not.toContain("Compañero");
    expect(await opened(ben, broker.ana.id)).not.toHaveProperty("nickname");
  });

  it("is for a contact alone, and a text that shows as what it is", async () => {
    for (const id of [broker.shop.id, broker.ana.id, v7()]) {
      await expect(put(ana, id, "Mío")).rejects.toMatchObject({ code: "not_found" });
    }
    for (const text of ["", "   ", "a\u202eb", "x".repeat(41), "a\u200bb"]) {
      await expect(put(ana, broker.ben.id, text)).rejects.toMatchObject({ code: "invalid_request" });
    }
  });

  it("is one of two hundred at most; those that there are can be changed and taken away", async () => {
    const contacts = Array.from({ length: 200 }, () => v7());
    await broker.sql`
      insert into broker.contacts (user_id, contact_id, has_paid)
      select ${broker.ana.id}::uuid, id, false from unnest(${contacts}::uuid[]) as c (id)`;
    await broker.sql`update broker.contacts set nickname = 'Uno' where contact_id = any(${contacts.slice(1)}::uuid[])`;
    const [last = ""] = contacts;
    await expect(put(ana, last, "Otro")).rejects.toMatchObject({ code: "not_allowed" });
    await put(ana, broker.ben.id, "Vecino");
    await put(ana, broker.ben.id, null);
    expect((await put(ana, last, "Otro")).body.nickname).toBe("Otro");
    expect(await listed(ana)).toHaveLength(200);
  });

  it("goes with the person", async () => {
    const [row] = await broker.sql<{ rule: string }[]>`
      select confdeltype as rule from pg_constraint
      where conrelid = 'broker.contacts'::regclass and contype = 'f'`;
    expect(row?.rule).toBe("c");
  });
});
