import { beforeEach, expect, it } from "vitest";
import { keepPaidCodes } from "./keep-paid-codes.ts";

let nowMs = 0;
let state = "unpaid";
let asked: string[] = [];

const upstream = {
  async call(name: string, { reference }: { readonly reference?: string }) {
    asked.push(`${name} ${reference}`);
    return { status: 200, body: { reference, state, expires_in: 60 } };
  },
};
const kept = keepPaidCodes(upstream as never, () => nowMs);
const ask = async (reference: string) => (await kept.call("transactionQr", { reference })).body;

beforeEach(() => {
  [nowMs, state, asked] = [0, "unpaid", []];
});

it.each(["unpaid", "pending", "expired", "cancelled"])("a code that is %s is asked for each time", async (now) => {
  state = now;
  await ask(now);
  expect(await ask(now)).toMatchObject({ state: now });
  expect(asked).toHaveLength(2);
});

it("a code that is paid is asked for once a minute, and its time goes on", async () => {
  state = "paid";
  await ask("A");
  nowMs = 10_000;
  expect(await ask("A")).toEqual({ reference: "A", state: "paid", expires_in: 50 });
  await ask("B");
  expect(asked).toEqual(["transactionQr A", "transactionQr B"]);
  nowMs = 60_000;
  expect(await ask("A")).toMatchObject({ expires_in: 60 });
  expect(asked).toHaveLength(3);
});

it("other operations are never answered from memory", async () => {
  state = "paid";
  await kept.call("cancelTransactionQr", { reference: "C" });
  await kept.call("cancelTransactionQr", { reference: "C" });
  expect(asked).toHaveLength(2);
});
