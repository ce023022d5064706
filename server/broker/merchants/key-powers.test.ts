import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client.ts";
import { merchantContract } from "../../../src/contract/broker/broker.ts";
import type { MerchantWithKeys } from "../../../src/contract/broker/operator-merchants.ts";
import { asOperator, type OperatorClient } from "../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../test/support/broker.ts";
import { commandSettings } from "../../../test/support/command-settings.ts";
import { aPasskeyDevice } from "../../../test/support/passkey-device.ts";
import { type AnotherOperator, anotherOperator } from "../../../test/support/second-operator.ts";
import { merchantCommand } from "../../commands/merchant-command.ts";
import { hashToken } from "../access/opaque-token.ts";
import { keyIdOf } from "./key-id.ts";

let broker: TestBroker;
let admin: OperatorClient;
let second: AnotherOperator;
/** A merchant without powers, with the key that it was made with. */
let made: MerchantWithKeys;
let adminId: string;

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  admin = await asOperator(broker);
  second = await anotherOperator(broker, "admin");
  const [operator] = await broker.sql<{ id: string }[]>`
    select id from broker.people where role = 'operator' and demo_name is not null`;
  adminId = operator?.id ?? "";
});
afterAll(() => broker.stop());
beforeEach(async () => {
  const body = { name: "Nueva", user_id: broker.ben.id, origins: [SHOP_ORIGIN] };
  made = (await admin.createMerchant({ body })).body;
});

const idOf = (key: string | null) => keyIdOf(hashToken(key ?? ""));
const rotate = async (retire?: readonly (string | null)[]) => {
  const body = { kind: "server" as const, ...(retire && { retire: retire.map(idOf) }) };
  return (await admin.rotateMerchantKey({ params: { id: made.id }, body })).body;
};
const change = async (body: Parameters<OperatorClient["changeMerchant"]>[0]["body"]) =>
  (await admin.changeMerchant({ params: { id: made.id }, body })).body.change;
const agree = async (asked: { readonly id: string } | null) =>
  (await second.client.agreeToMerchantChange({ params: { id: asked?.id ?? "" } })).body;

/** The powers that a key has: to start a till, and to show anybody's quota. */
async function powersOf(serverKey: string | null): Promise<string[]> {
  const headers = () => ({ authorization: `Bearer ${serverKey}` });
  const backend = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
  const bodies = {
    sells: { kind: "recharge", origin: SHOP_ORIGIN, max_amount: 1_000 },
    shows: { kind: "quota", origin: SHOP_ORIGIN, user: broker.ana.id },
  } as const;
  const powers: string[] = [];
  for (const [power, body] of Object.entries(bodies)) {
    const started = backend.createSession({ body });
    await started.then(
      () => powers.push(power),
      (error: unknown) => expect(error).toMatchObject({ code: "not_allowed" }),
    );
  }
  return powers;
}

describe("a power that a merchant gains", () => {
  it("is that of the keys which the change lists, for the second admin to see who made them", async () => {
    const another = await rotate();
    expect(another.change).toBeNull();
    const asked = await change({ sells_top_ups: true });
    const listed = { created_at: expect.any(String), made_by: adminId };
    const keys = [made.server_key, another.server_key].map((key) => ({ id: idOf(key), ...listed }));
    expect(asked?.server_keys).toEqual(keys);
    expect((await second.client.merchantChanges({})).body[0]).toMatchObject({ server_keys: keys });
    await agree(asked);
    expect([await powersOf(made.server_key), await powersOf(another.server_key)]).toEqual([["sells"], ["sells"]]);
    const records = await broker.sql<{ facts: string }[]>`
      select facts from broker.audit_records where subject = ${asked?.id ?? ""} order by id desc limit 1`;
    expect(JSON.parse(records[0]?.facts ?? "{}").server_keys).toBe(keys.map(({ id }) => id).join(" "));
  });

  it("is not that of a key which was made while it waited", async () => {
    const asked = await change({ sells_top_ups: true, first_party: true });
    const later = await rotate();
    await agree(asked);
    expect([await powersOf(made.server_key), await powersOf(later.server_key)]).toEqual([["sells", "shows"], []]);
  });

  it("is not that of a key which was agreed to meanwhile for what the merchant could do before", async () => {
    await agree(await change({ first_party: true }));
    const asked = await change({ sells_top_ups: true });
    const later = await rotate();
    await agree(later.change);
    await agree(asked);
    expect(await powersOf(later.server_key)).toEqual(["shows"]);
  });

  it("comes back to no key that had it before it was taken away, unless the change lists it", async () => {
    await agree(await change({ sells_top_ups: true }));
    await change({ sells_top_ups: false });
    const later = await rotate([made.server_key]);
    const asked = await change({ sells_top_ups: true });
    expect(asked?.server_keys.map(({ id }) => id)).toEqual([idOf(later.server_key)]);
    const hidden = await rotate();
    await agree(asked);
    expect([await powersOf(later.server_key), await powersOf(hidden.server_key)]).toEqual([["sells"], []]);
  });

  it("is that of all keys at once, and of each that is made there later, by the command line", async () => {
    const { sql, key, clock, random, newId } = broker.options;
    const fixture = { ...commandSettings, sql, key, clock, random, newId };
    const { text } = await merchantCommand.plan(["change", made.id, "--sells-top-ups"])(fixture);
    expect(text).toContain(`Server keys that may do that now: ${idOf(made.server_key)} (`);
    const rotated = await merchantCommand.plan(["rotate", made.id, "--kind", "server"])(fixture);
    const { server_key: another } = rotated.data as MerchantWithKeys;
    expect([await powersOf(made.server_key), await powersOf(another)]).toEqual([["sells"], ["sells"]]);
  });
});

describe("a user who has a passkey", () => {
  it("is shown the keys that sell, and signs these and no others", async () => {
    const { client: ana, passkey } = await aPasskeyDevice(broker, "payer");
    const body = { name: "Nueva", user_id: broker.ana.id, origins: [SHOP_ORIGIN], sells_top_ups: true };
    const { id, change: asked, server_key: key } = (await admin.createMerchant({ body })).body;
    const [request] = (await ana.mySellingRequests({})).body;
    expect(request?.server_keys).toEqual([{ id: idOf(key), created_at: expect.any(String), made_by: adminId }]);
    const credential = passkey.assert(request?.options ?? {});
    const changeId = asked?.id ?? "";
    await broker.sql`
      insert into broker.merchant_change_keys (change_id, key_hash)
      values (${changeId}, ${hashToken(made.server_key ?? "")})`;
    const signed = ana.agreeToSelling({ params: { id: changeId }, body: { credential } });
    await expect(signed).rejects.toMatchObject({ code: "passkey_refused" });
    expect((await admin.merchants({ query: {} })).body.find((one) => one.id === id)?.sells_top_ups).toBe(false);
  });
});
