import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asOperator, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { commandSettings } from "../../../../test/support/command-settings.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import { anotherOperator } from "../../../../test/support/second-operator.ts";
import { silentLog } from "../../../../test/support/silent-log.ts";
import { aTill, fundShop } from "../../../../test/support/till.ts";
import { operatorCommand } from "../../../commands/operator-command.ts";

const ROUNDS = 20;
const TILLS = 12;
const SALES = 3;
const RACES = 12;

let broker: TestBroker;
let operator: OperatorClient;
const failures: unknown[] = [];

beforeAll(async () => {
  const log = { ...silentLog, error: (...told: unknown[]) => void failures.push(told) };
  broker = await aBroker({ wait: async () => undefined, log });
  operator = await asOperator(broker);
  await broker.sql`update broker.merchants set sells_top_ups = true`;
  await fundShop(broker);
});
afterAll(() => broker.stop());

const userOf = (user_id: string) => ({ params: { user_id } });

function command(...args: readonly string[]): Promise<unknown> {
  const { sql, key, clock, random, newId } = broker.options;
  return operatorCommand.plan(args)({ ...commandSettings, sql, key, clock, random, newId });
}

/** Tills with a session of this round; the handles that they were given in the first one are still good. */
function tills() {
  return Promise.all(Array.from({ length: TILLS }, (_, number) => aTill(broker, { till: `till ${number}` })));
}

describe("a freeze beside 12 tills with three sales each", () => {
  it("is done each time, by whomever, and every sale is made or refused", async () => {
    const shop = broker.shop.id;
    const ways = [
      async () => (await broker.as("merchant")).freezeMe({}),
      () => operator.freezePerson(userOf(shop)),
      () => command("freeze", "--user-id", shop),
    ];
    const handles = await Promise.all((await tills()).map((till) => till.find()));
    const told = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const selling = await tills();
      const sales = selling.flatMap((till, number) =>
        Array.from({ length: SALES }, () => till.sell(handles[number] ?? "", 10)),
      );
      const freezing = delay(round * 2).then(ways[round % ways.length]);
      for (const sale of await Promise.allSettled(sales)) {
        const code: string = sale.status === "fulfilled" ? sale.value.body.state : sale.reason.code;
        told.set(code, (told.get(code) ?? 0) + 1);
      }
      await freezing;
      expect((await operator.frozenPeople({})).body.map(({ user_id: id }) => id)).toEqual([shop]);
      await operator.unfreezePerson(userOf(shop));
    }
    const known = ["approved", "running", "rejected", "failed", "unauthorized", "account_frozen"];
    expect([...told.keys()].filter((code) => !known.includes(code))).toEqual([]);
    expect(failures).toEqual([]);
  }, 120_000);
});

describe("power that is given away as the account is frozen", () => {
  // So many proofs are more than a minute's.
  beforeEach(() => broker.advance(60));

  /** Freezes before, during or after a request, which must leave nothing alive. */
  async function race(ask: () => Promise<unknown>, livesOn: () => Promise<number>, number: number): Promise<void> {
    const asking = ask().catch((error: { readonly code: string }) => {
      expect(["account_frozen", "unauthorized", "passkey_refused"]).toContain(error.code);
    });
    await delay(number % 6);
    await command("freeze", "--user-id", broker.ana.id);
    const before = await livesOn();
    await asking;
    expect(await livesOn()).toBe(before);
    await operator.unfreezePerson(userOf(broker.ana.id));
  }

  it("is no link that another device could be enrolled by", async () => {
    const links = async () =>
      (await broker.sql`select from broker.enrolments where used_at is null and withdrawn_at is null`).length;
    for (let number = 0; number < RACES; number += 1) {
      const { client, prove } = await aPasskeyDevice(broker, "payer");
      const proof = await prove("invite_device");
      await race(() => client.inviteDevice({ body: { proof } }), links, number);
      expect(await links()).toBe(0);
    }
  });

  it("is no grant, unless it was given before", async () => {
    const [merchant] = await broker.sql<{ id: string }[]>`select id from broker.merchants`;
    const grants = async () => (await broker.sql`select from broker.grants where revoked_at is null`).length;
    for (let number = 0; number < RACES; number += 1) {
      await broker.sql`delete from broker.grants`;
      const { client, prove } = await aPasskeyDevice(broker, "payer");
      const body = { merchant_id: merchant?.id ?? "", proof: await prove("grant") };
      await race(() => client.createGrant({ body }), grants, number);
    }
  });

  it("is no merchant's leave to sell, unless it was given before", async () => {
    const second = await anotherOperator(broker, "admin");
    const sellers = async () =>
      (await broker.sql`select from broker.merchants where sells_top_ups and user_id = ${broker.ana.id}`).length;
    for (let number = 0; number < RACES; number += 1) {
      const { client, passkey } = await aPasskeyDevice(broker, "payer");
      const made = { name: "Nueva", user_id: broker.ana.id, origins: [SHOP_ORIGIN], sells_top_ups: true };
      const { change } = (await operator.createMerchant({ body: made })).body;
      const params = { id: change?.id ?? "" };
      await second.client.agreeToMerchantChange({ params });
      const request = (await client.mySellingRequests({})).body.find(({ id }) => id === params.id);
      const credential = passkey.assert(request?.options ?? {});
      await race(() => client.agreeToSelling({ params, body: { credential } }), sellers, number);
    }
  });
});
