import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import {
  NOBODY,
  type OperationName,
  problemOf,
  type RawClient,
  rawClient,
  refusalOf,
  standing,
  times,
} from "../support/service-calls.ts";

const COPIES = 50;
const WRITING = [
  "createUser",
  "addQuota",
  "createTransaction",
  "createPaymentTransaction",
  "createRechargeTransaction",
  "createTransactionQr",
  "cancelTransactionQr",
  "createLedgerTransaction",
  "dischargeQuota",
  "repayCredit",
  "writeOffCredit",
  "cancelCredit",
  "importCredit",
] as const;

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let ana: string;
let shop: string;
let keys = 0;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  [ana, shop] = [(await aUser(fintech, { quota: 100_000 })).id, (await aUser(fintech)).id];
});
afterAll(() => service.stop());

function aKey(): string {
  keys += 1;
  return `key ${keys} ~!`;
}

function today(): string {
  return new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10);
}

/** A credit of Ana's that nothing was repaid of. */
async function aCredit(): Promise<string> {
  const body = { id: ana, amount: "20", loan_type: "default", payment_date: today() };
  const { response } = (await fintech.client.addQuota({ body })).body;
  const { body: credits } = await fintech.client.credits({ query: { "user-id": ana } });
  return credits.find(({ reference }) => reference === response)?.id ?? "";
}

/** A fresh body that each operation carries out. */
const bodies: Record<(typeof WRITING)[number], () => Promise<Body>> = {
  createUser: async () => ({ name: "New", nit: `i${keys}`, phone: `+57310${1_000_000 + keys}`, quota: 5 }),
  addQuota: async () => ({ id: ana, amount: "10", loan_type: "deposit", payment_date: today() }),
  createTransaction: async () => ({ amount: 3, from_user_id: ana, to_user_id: shop, details: { n: 1.25, keys } }),
  createPaymentTransaction: async () => ({ from_user_id: ana, payments: [{ amount: 3, to_user_id: shop }] }),
  createRechargeTransaction: async () => ({ amount: 3, from_user_id: ana, to_user_id: shop, details: { keys } }),
  createTransactionQr: async () => ({ amount: 3, to_user_id: shop }),
  cancelTransactionQr: async () => {
    const { body } = await fintech.client.createTransactionQr({ body: { amount: 3, to_user_id: shop } });
    return { reference: body.reference };
  },
  createLedgerTransaction: async () => ({ amount: 3, from_user_id: ana, to_user_id: shop, details: { n: 1.25, keys } }),
  dischargeQuota: async () => ({ id: ana, amount: "3" }),
  repayCredit: async () => ({ id: ana, amount: "3", source: "cash", credit_id: await aCredit() }),
  writeOffCredit: async () => ({ credit_id: await aCredit() }),
  cancelCredit: async () => ({ credit_id: await aCredit() }),
  importCredit: async () => ({ id: ana, loan_type: "default", principal: "3", opened_on: today() }),
};

type Body = Readonly<Record<string, unknown>>;

/** Bodies that differ from the first: one that could be carried out, and one that the operation would refuse. */
type OtherBodies = (body: Body, other: Body) => Body[];

const otherBodies: Record<(typeof WRITING)[number], OtherBodies> = {
  createUser: (body) => [
    { ...body, name: "Other", nit: "other", phone: "3159998877" },
    { ...body, name: "Twin" },
  ],
  addQuota: (body) => [
    { ...body, amount: "11" },
    { ...body, id: NOBODY },
    { ...body, financial_entity_id: NOBODY },
    { ...body, payment_date: "2020-01-01" },
  ],
  createTransaction: (body) => [
    { ...body, amount: 4 },
    { ...body, to_user_id: NOBODY },
    { ...body, to_user: "Nobody" },
    { ...body, details: { qr: "0002010005co.qp" } },
  ],
  createPaymentTransaction: (body) => [
    { ...body, payments: [{ amount: 4, to_user_id: shop }] },
    { ...body, payments: [body.payments, body.payments].flat() },
    { ...body, payments: [{ amount: 3, to_user_id: NOBODY }] },
    { ...body, from_user: "Nobody" },
  ],
  createRechargeTransaction: (body) => [
    { ...body, amount: 4 },
    { ...body, to_user_id: NOBODY },
    { ...body, to_user: "Nobody" },
  ],
  createTransactionQr: (body) => [
    { ...body, amount: 4 },
    { ...body, to_user_id: NOBODY },
    { ...body, amount: 10_000_000_000 },
  ],
  cancelTransactionQr: (_, other) => [other, { reference: "7K3M9QXT2V4FW" }],
  createLedgerTransaction: (body) => [
    { ...body, amount: 4 },
    { ...body, to_user_id: NOBODY },
  ],
  dischargeQuota: (body) => [
    { ...body, amount: "4" },
    { ...body, id: NOBODY },
    { ...body, amount: "9000000" },
  ],
  repayCredit: (body) => [
    { ...body, amount: "4" },
    { ...body, id: NOBODY },
    { ...body, credit_id: NOBODY },
  ],
  writeOffCredit: (_, other) => [other, { credit_id: NOBODY }],
  cancelCredit: (_, other) => [other, { credit_id: NOBODY }],
  importCredit: (body) => [
    { ...body, principal: "4" },
    { ...body, id: NOBODY },
    { ...body, loan_type: "none" },
  ],
};

const send = (name: OperationName, body: unknown, key: string, headers: object = {}) =>
  raw(name, { body, headers: { "idempotency-key": key, ...headers } });

async function answerOf(response: Response): Promise<unknown> {
  const { expires_in: _, ...answer } = (await response.json()) as Record<string, unknown>;
  return answer;
}

describe.each(WRITING)("%s with an idempotency key", (name) => {
  it("is carried out once: the copy gets the same answer, marked as replayed", async () => {
    const [key, body] = [aKey(), await bodies[name]()];
    const first = await send(name, body, key);
    const after = await standing(service);
    const copy = await send(name, Object.fromEntries(Object.entries(body).reverse()), key);
    expect([first.headers.get("idempotent-replayed"), copy.headers.get("idempotent-replayed")]).toEqual([null, "true"]);
    expect(copy.status).toBe(first.status);
    expect(await answerOf(copy)).toEqual(await answerOf(first));
    expect(await standing(service)).toEqual(after);
  });

  it("is carried out once for 50 copies at the same time, all with the same answer", async () => {
    const [key, body] = [aKey(), await bodies[name]()];
    const before = (await standing(service)) as { counts: { entries: bigint } };
    const answers = await Promise.all(times(COPIES, () => send(name, body, key)));
    const replayed = answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(COPIES - 1);
    expect(new Set(answers.map((answer) => answer.status)).size).toBe(1);
    const texts = await Promise.all(answers.map(async (answer) => JSON.stringify(await answerOf(answer))));
    expect(new Set(texts).size).toBe(1);
    const after = (await standing(service)) as { counts: { entries: bigint } };
    expect(after.counts.entries - before.counts.entries).toBeLessThanOrEqual(2n);
  });

  it("refuses the key with another body: 422, and does nothing, also where the other is wrong", async () => {
    const [key, body, other] = [aKey(), await bodies[name](), await bodies[name]()];
    await send(name, body, key);
    const before = await standing(service);
    for (const change of otherBodies[name](body, other)) {
      expect(await refusalOf(await send(name, change, key))).toEqual(["idempotency_key_reused"]);
    }
    expect(await standing(service)).toEqual(before);
  });

  it("keeps keys apart by operation and by entity", async () => {
    const key = aKey();
    expect((await send(name, await bodies[name](), key)).ok).toBe(true);
    const elsewhere = name === "createTransaction" ? "addQuota" : "createTransaction";
    expect((await send(elsewhere, await bodies[elsewhere](), key)).headers.get("idempotent-replayed")).toBeNull();
    const stranger = await rawClient(service, await service.anEntity("Other"));
    const body = await bodies.createTransactionQr();
    const theirs = await stranger("createTransactionQr", { body, headers: { "idempotency-key": key } });
    expect([theirs.status, theirs.headers.get("idempotent-replayed")]).toEqual([201, null]);
  });

  it.each(["", "x".repeat(256), "é", "tab\tkey"])("refuses the key %j: it must be printable ASCII", async (key) => {
    const response = await send(name, await bodies[name](), key);
    expect(await refusalOf(response)).toEqual(["invalid_request", "Idempotency-Key"]);
  });
});

describe("what is kept with a key", () => {
  it("a rejected payment: not tried again when there is money", async () => {
    const poor = await aUser(fintech);
    const [key, body] = [aKey(), { amount: 5, from_user_id: poor.id, to_user_id: shop }];
    const first = await (await send("createTransaction", body, key)).json();
    expect(first).toMatchObject({ status: "rejected", reason: "insufficient_balance" });
    await fintech.client.addQuota({ body: { id: poor.id, amount: "9", loan_type: "default", payment_date: today() } });
    expect(await (await send("createTransaction", body, key)).json()).toEqual(first);
  });

  it("a 404 and a 409, with the same document but for the request's id, and the replay says so", async () => {
    const refused: [OperationName, object, string][] = [
      ["createTransaction", { amount: 5, from_user_id: ana, to_user_id: NOBODY }, "user_not_found"],
      ["createRechargeTransaction", { amount: 5, from_user_id: ana, to_user_id: NOBODY }, "user_not_found"],
      [
        "createPaymentTransaction",
        { from_user_id: ana, payments: [{ amount: 5, to_user_id: NOBODY }] },
        "user_not_found",
      ],
      ["createTransactionQr", { amount: 5, to_user_id: NOBODY }, "user_not_found"],
      ["addQuota", { nit: "late", amount: "5", loan_type: "default", payment_date: today() }, "user_not_found"],
      ["createUser", { name: "Twin", nit: "late2", phone: (await aUser(fintech)).phone }, "duplicate_user"],
      ["cancelTransactionQr", { reference: "7K3M9QXT2V4FW" }, "qr_not_found"],
    ];
    for (const [name, body, code] of refused) {
      const key = aKey();
      const first = await send(name, body, key);
      if (name === "addQuota") await aUserWith("late");
      const copy = await send(name, body, key);
      expect([first.headers.get("idempotent-replayed"), copy.headers.get("idempotent-replayed")]).toEqual([
        null,
        "true",
      ]);
      const [told, again] = [await problemOf(first), await problemOf(copy)];
      expect(told.code).toBe(code);
      expect({ ...again, request_id: "" }).toEqual({ ...told, request_id: "" });
    }
  });

  async function aUserWith(nit: string) {
    await fintech.client.createUser({ body: { name: "Late", nit, phone: `+57311${1_000_000 + keys}` } });
  }

  it("not a 400, 401 or 403: the next try with the key is a first one", async () => {
    const [key, body] = [aKey(), await bodies.createTransaction()];
    const theirs = await aUser(await service.anEntity("Other"), { quota: 5 });
    const attempts: [object, object, number][] = [
      [{ ...body, amount: -1 }, {}, 400],
      [{ ...body, to_user: "Nobody" }, {}, 400],
      [{ ...body, details: { qr: "0002010005co.qp" } }, {}, 400],
      [body, { authorization: "Bearer x" }, 401],
      [{ ...body, from_user_id: theirs.id }, {}, 403],
      [body, { accept: "text/html" }, 406],
      [body, { "content-type": "text/plain" }, 415],
    ];
    for (const [sent, headers, status] of attempts) {
      expect((await send("createTransaction", sent, key, headers)).status).toBe(status);
    }
    const done = await send("createTransaction", body, key);
    expect([done.status, done.headers.get("idempotent-replayed")]).toEqual([201, null]);
  });

  it("the grant of a day that has passed since", async () => {
    const [key, body] = [aKey(), await bodies.addQuota()];
    const first = await (await send("addQuota", body, key)).json();
    service.advance(2 * 86_400);
    raw = await rawClient(service, fintech);
    const copy = await send("addQuota", body, key);
    expect([copy.status, await copy.json()]).toEqual([200, first]);
    expect(await refusalOf(await send("addQuota", body, aKey()))).toEqual(["invalid_request", "/payment_date"]);
  });

  it("a QR without its picture, which is drawn anew as Accept asks, with the seconds that are left", async () => {
    const [key, body] = [aKey(), { amount: 3, to_user_id: shop, expires_in: 600 }];
    const first = await (await send("createTransactionQr", body, key)).json();
    service.advance(100);
    for (const accept of ["image/png", "image/svg+xml", "application/json"]) {
      const copy = await send("createTransactionQr", body, key, { accept });
      expect([copy.status, copy.headers.get("content-type")]).toEqual([201, accept]);
      expect(copy.headers.get("idempotent-replayed")).toBe("true");
      expect(copy.headers.get("payment-reference")).toBe(first.reference);
      expect(Number(copy.headers.get("payment-expires-in"))).toBeLessThanOrEqual(500);
    }
  });
});
