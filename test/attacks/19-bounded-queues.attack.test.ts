import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

/** Longer than any command may wait, shorter than a statement may take. */
const HELD_MS = 8_000;
const DAY_SECONDS = 86_400;

let target: Target;
const sockets = new Set<Socket>();

beforeAll(async () => {
  target = await Target.start();
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => target?.remove());

/** The backend of a shop, with its server key. */
function shop(): HttpCaller {
  const { server_key } = target.product.demo.merchant_keys;
  return new HttpCaller(target.origin, () => ({ authorization: `Bearer ${server_key}` }));
}

function startSession(fields: object = {}) {
  return shop().post("/v1/sessions", { kind: "pay", amount: 1_000, origin: target.origin, ...fields });
}

describe("the queue of the ledger", () => {
  /** Posts payments behind one that hangs, and returns each answer with the time that it took. */
  async function behindOneThatHangs() {
    const own = await target.own();
    const [stuck, payer, payee] = [
      await own.aUser({ quota: 1_000 }),
      await own.aUser({ quota: 1_000 }),
      await own.aUser(),
    ];
    const pay = async (from: string) => {
      const startedAt = performance.now();
      const answer = await own.post("/create-transaction", { from_user_id: from, to_user_id: payee, amount: 1 });
      return { ...answer, tookMs: performance.now() - startedAt };
    };
    const holding = target.sql.begin(async (tx) => {
      await tx`select from service.accounts where id = ${stuck} for update`;
      await delay(HELD_MS);
    });
    await delay(200);
    const first = pay(stuck);
    await delay(200);
    const waiting = Promise.all(Array.from({ length: 50 }, () => pay(payer)));
    await delay(3_000);
    const late = await pay(payer);
    const answers = [...(await waiting), late];
    await holding;
    return { own, payer, first: await first, answers };
  }

  attack("makes everybody wait for as long as one commit hangs", async () => {
    const { own, payer, first, answers } = await behindOneThatHangs();
    expect(first.status).toBe(201);
    const longestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
    expect(Math.round(longestMs)).toBeLessThan(4_000);
    // A commit that was sent before the one in front of it hung is refused with it, and carried out then.
    const paid = answers.filter(({ status }) => status === 201).length;
    for (const { status, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect(status).toBe(503);
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
    expect(await own.available(payer)).toBe(1_000 - paid);
  });

  it("serves whoever comes when nothing hangs", async () => {
    const own = await target.own();
    const [payer, payee] = [await own.aUser({ quota: 1_000 }), await own.aUser()];
    const payment = { from_user_id: payer, to_user_id: payee, amount: 1 };
    const answers = await Promise.all(Array.from({ length: 300 }, () => own.post("/create-transaction", payment)));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  });
});

describe("the connections to the database", () => {
  /** Runs the work while another entity's reads hang on a lock. */
  async function whileReadsHang<T>(work: () => Promise<T>): Promise<T> {
    const other = await target.entity("Other");
    const locked = Promise.withResolvers<void>();
    const holding = target.sql.begin(async (tx) => {
      await tx`lock table service.loan_types in access exclusive mode`;
      locked.resolve();
      await delay(HELD_MS);
    });
    await locked.promise;
    const reading = Array.from({ length: 40 }, () => other.get("/loan-types"));
    await delay(500);
    const result = await work();
    await Promise.all([holding, ...reading]);
    return result;
  }

  attack("are all taken by one entity's reads, so that nobody else reads or pays", async () => {
    const own = await target.own();
    const [payer, payee] = [await own.aUser({ quota: 1_000 }), await own.aUser()];
    const calls = [
      () => own.get("/user", { id: payer }),
      () => own.post("/create-transaction", { from_user_id: payer, to_user_id: payee, amount: 1 }),
      () => own.get("/health/ready"),
    ];
    const told = await whileReadsHang(async () => {
      const startedAt = performance.now();
      const answers = calls.map(async (call) => {
        const { status } = await call();
        return `${status} ${performance.now() - startedAt < 4_000 ? "at once" : "late"}`;
      });
      return (await Promise.all(answers)).join(", ");
    });
    expect(told).toBe("200 at once, 201 at once, 200 at once");
  });
});

describe("codes and streams", () => {
  attack("are made by one person without limit", async () => {
    const ana = await target.demoPerson("payer");
    let made = 0;
    for (let number = 0; number < 250; number += 1) {
      if ((await ana.post("/v1/me/qr", { amount: 1_000 })).status === 201) made += 1;
    }
    expect(made).toBeLessThan(150);
  });

  attack("are held by one key without limit", async () => {
    const tokens: string[] = [];
    for (let number = 0; number < 150; number += 1) tokens.push((await startSession()).body.session);
    let open = 0;
    for (const token of tokens) {
      const statuses = await Promise.all(Array.from({ length: 4 }, () => openStream(token)));
      open += statuses.filter((status) => status === 200).length;
    }
    expect(open).toBeLessThanOrEqual(500);
    expect(open).toBeGreaterThan(100);
  });

  attack("are kept live for a day by one key without limit", async () => {
    let made = 0;
    for (let number = 0; number < 200; number += 1) {
      if ((await startSession({ expires_in: DAY_SECONDS })).status === 201) made += 1;
    }
    expect(made).toBeLessThan(100);
  });

  it("are there for who asks for some", async () => {
    const merchant = await target.demoPerson("merchant");
    expect((await merchant.post("/v1/me/qr", { amount: 1_000 })).status).toBe(201);
  });
});

/** Opens a stream and leaves it open; returns the status that it begins with. */
async function openStream(token: string): Promise<number> {
  const { port, host } = new URL(target.origin);
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.write(`GET /v1/session/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const [chunk] = await once(socket, "data");
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]);
}
