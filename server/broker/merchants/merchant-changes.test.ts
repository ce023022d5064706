import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client.ts";
import { merchantContract } from "../../../src/contract/broker/broker.ts";
import type { MerchantChange } from "../../../src/contract/broker/merchant-changes.ts";
import type { MerchantWithKeys } from "../../../src/contract/broker/operator-merchants.ts";
import { asOperator, type OperatorClient } from "../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../test/support/broker.ts";
import { commandSettings } from "../../../test/support/command-settings.ts";
import { aPasskeyDevice } from "../../../test/support/passkey-device.ts";
import { type AnotherOperator, anotherOperator } from "../../../test/support/second-operator.ts";
import { merchantCommand } from "../../commands/merchant-command.ts";
import { operatorCommand } from "../../commands/operator-command.ts";
import { hashToken } from "../access/opaque-token.ts";
import { keyIdOf } from "./key-id.ts";

let broker: TestBroker;
let admin: OperatorClient;
let second: AnotherOperator;

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  admin = await asOperator(broker);
});
afterAll(() => broker.stop());

function commandWorld() {
  const { sql, key, clock, random, newId } = broker.options;
  return { ...commandSettings, sql, key, clock, random, newId };
}

type Settings = Omit<Parameters<OperatorClient["createMerchant"]>[0]["body"], "name" | "user_id">;

async function make(settings: Settings, user_id = broker.ben.id): Promise<MerchantWithKeys> {
  const body = { name: "Nueva", user_id, origins: [SHOP_ORIGIN], ...settings };
  return (await admin.createMerchant({ body })).body;
}

async function asked(settings: Settings, user_id?: string) {
  const made = await make(settings, user_id);
  if (made.change === null) throw new Error("nothing was asked for");
  return { ...made, change: made.change };
}

const agree = ({ id }: MerchantChange, by = second) => by.client.agreeToMerchantChange({ params: { id } });
const allowedOf = async (id: string) => {
  const found = (await admin.merchants({ query: {} })).body.find((merchant) => merchant.id === id);
  return { first_party: found?.first_party, sells_top_ups: found?.sells_top_ups };
};

/** Reports whether a key starts the sessions that take a merchant with powers: a till, and anybody's quota. */
async function startsOf(serverKey: string | null) {
  const headers = () => ({ authorization: `Bearer ${serverKey}` });
  const backend = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
  const starts = (body: object) =>
    backend.createSession({ body: { origin: SHOP_ORIGIN, ...body } as never }).then(
      () => true,
      (error: { readonly code: string }) => {
        expect(error.code).toBe("not_allowed");
        return false;
      },
    );
  return {
    till: await starts({ kind: "recharge", max_amount: 1_000 }),
    quota: await starts({ kind: "quota", user: broker.ana.id }),
    pay: await starts({ kind: "pay", amount: 1_000 }),
  };
}

const idOf = (key: string | null) => keyIdOf(hashToken(key ?? ""));
const nothing = { first_party: false, sells_top_ups: false };
const [all, none] = [
  { till: true, quota: true, pay: true },
  { till: false, quota: false, pay: true },
];

describe("a single admin", () => {
  it("allows no merchant anything over HTTP, and is told how to go on; the command does", async () => {
    const before = await broker.sql`select from broker.merchants`;
    const refusal = { code: "not_allowed", detail: expect.stringMatching(/second admin.*npm run merchant -- create/) };
    await expect(make({ sells_top_ups: true })).rejects.toMatchObject(refusal);
    expect(await broker.sql`select from broker.merchants`).toHaveLength(before.length);
    const { id, change } = await make({});
    expect(change).toBeNull();
    const body = { name: "Renamed", first_party: true };
    await expect(admin.changeMerchant({ params: { id }, body })).rejects.toMatchObject({ code: "not_allowed" });
    const [kept] = (await admin.merchants({ query: { limit: "1" } })).body;
    expect(kept).toMatchObject({ id, name: "Nueva", ...nothing });
    await merchantCommand.plan(["change", id, "--first-party", "--sells-top-ups"])(commandWorld());
    expect(await allowedOf(id)).toEqual({ first_party: true, sells_top_ups: true });
    const rotation = admin.rotateMerchantKey({ params: { id }, body: { kind: "server" } });
    await expect(rotation).rejects.toMatchObject({ code: "not_allowed" });
  });
});

describe("two admins", () => {
  beforeAll(async () => {
    second = await anotherOperator(broker, "admin");
  });

  it("allow what one asked for, from when the other agrees; all else is done at once", async () => {
    const { id, change, server_key } = await asked({ first_party: true, sells_top_ups: true, open_amount_limit: 500 });
    expect(change).toMatchObject({ merchant_id: id, state: "waiting", agreed: false, user: "not_needed" });
    expect(await allowedOf(id)).toEqual(nothing);
    expect(await startsOf(server_key)).toEqual(none);
    await expect(agree(change, { ...second, client: admin })).rejects.toMatchObject({ code: "not_allowed" });
    const clerk = await anotherOperator(broker, "clerk");
    await expect(agree(change, clerk)).rejects.toMatchObject({ code: "not_allowed" });
    expect((await clerk.client.merchantChanges({})).body[0]).toMatchObject({ id: change.id, state: "waiting" });
    expect((await agree(change)).body).toMatchObject({ state: "done", agreed: true });
    expect((await agree(change)).body.state).toBe("done");
    expect(await startsOf(server_key)).toEqual(all);
    const again = await admin.changeMerchant({ params: { id }, body: { first_party: true, sells_top_ups: true } });
    expect(again.body.change).toBeNull();
    await admin.changeMerchant({ params: { id }, body: { sells_top_ups: false } });
    expect(await allowedOf(id)).toEqual({ first_party: true, sells_top_ups: false });
  });

  it("allow no more than the last thing that was asked for, nor what was taken back, or is a week old", async () => {
    const { id, change: first } = await asked({ sells_top_ups: true });
    const { body } = await admin.changeMerchant({ params: { id }, body: { first_party: true } });
    await expect(agree(first)).rejects.toMatchObject({ code: "not_allowed" });
    const params = { id: body.change?.id ?? "" };
    expect((await second.client.withdrawMerchantChange({ params })).body.state).toBe("over");
    await expect(second.client.agreeToMerchantChange({ params })).rejects.toMatchObject({ code: "not_allowed" });
    const other = await asked({ sells_top_ups: true });
    await admin.changeMerchant({ params: { id: other.id }, body: { sells_top_ups: false } });
    await expect(agree(other.change)).rejects.toMatchObject({ code: "not_allowed" });
    const late = await asked({ sells_top_ups: true });
    const now = broker.options.clock();
    await broker.sql`update broker.merchant_changes set expires_at = ${now} where id = ${late.change.id}`;
    await expect(agree(late.change)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await allowedOf(late.id)).toEqual(nothing);
  });

  it("that are shut out decide nothing any more, neither the one who asked nor the one who agreed", async () => {
    const third = await anotherOperator(broker, "admin");
    const made = await asked({ sells_top_ups: true });
    const body = { sells_top_ups: true, name: "By the third" };
    await admin.changeMerchant({ params: { id: made.id }, body: { sells_top_ups: false } });
    const { change } = (await third.client.changeMerchant({ params: { id: made.id }, body })).body;
    await operatorCommand.plan(["disable", third.id])(commandWorld());
    const params = { id: change?.id ?? "" };
    await expect(second.client.agreeToMerchantChange({ params })).rejects.toMatchObject({ code: "not_allowed" });
    expect(await allowedOf(made.id)).toEqual(nothing);
  });

  it("have to agree to a new server key of a merchant that has powers, which starts payments until then", async () => {
    const { id, change, server_key } = await asked({ first_party: true, sells_top_ups: true });
    await agree(change);
    const rotated = (await admin.rotateMerchantKey({ params: { id }, body: { kind: "server" } })).body;
    expect(rotated.change).toMatchObject({ server_keys: [{ id: idOf(rotated.server_key) }], ...nothing });
    expect([await startsOf(rotated.server_key), await startsOf(server_key)]).toEqual([none, all]);
    if (rotated.change === null) throw new Error("nothing was asked for");
    await expect(agree(rotated.change, { ...second, client: admin })).rejects.toMatchObject({ code: "not_allowed" });
    await agree(rotated.change);
    expect(await startsOf(rotated.server_key)).toEqual(all);
    const publishable = (await admin.rotateMerchantKey({ params: { id }, body: { kind: "publishable" } })).body;
    expect(publishable.change).toBeNull();
  });
});

describe("a user who has a passkey", () => {
  it("has to agree before a merchant sells in the user's name, by a passkey that signs exactly that", async () => {
    const { client: ana, passkey } = await aPasskeyDevice(broker, "payer");
    const { id, change } = await asked({ sells_top_ups: true }, broker.ana.id);
    expect(change.user).toBe("waiting");
    expect((await agree(change)).body).toMatchObject({ state: "waiting", agreed: true, user: "waiting" });
    expect(await allowedOf(id)).toEqual(nothing);
    const [request] = (await ana.mySellingRequests({})).body;
    expect(request).toMatchObject({ id: change.id, merchant: "Nueva", origins: [SHOP_ORIGIN] });
    const params = { id: change.id };
    const credential = passkey.assert(request?.options ?? {});
    const ben = await aPasskeyDevice(broker, "other");
    expect((await ben.client.mySellingRequests({})).body).toEqual([]);
    const byBen = ben.client.agreeToSelling({ params, body: { credential } });
    await expect(byBen).rejects.toMatchObject({ code: "not_found" });
    const bens = ana.agreeToSelling({
      params,
      body: { credential: ben.passkey.assert(request?.options ?? {}) },
    });
    await expect(bens).rejects.toMatchObject({ code: "passkey_refused" });
    const { options = {} } = (await ana.startProof({ body: { purpose: "raise_limits" } })).body;
    const other = ana.agreeToSelling({ params, body: { credential: passkey.assert(options) } });
    await expect(other).rejects.toMatchObject({ code: "passkey_refused" });
    const twice = await Promise.allSettled([
      ana.agreeToSelling({ params, body: { credential } }),
      ana.agreeToSelling({ params, body: { credential } }),
    ]);
    expect(twice.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await allowedOf(id)).toEqual({ first_party: false, sells_top_ups: true });
    expect((await ana.mySellingRequests({})).body).toEqual([]);
  });

  it("agrees first or last, to the merchant under the name that was shown, and refuses without a passkey", async () => {
    const { client: ana, passkey } = await aPasskeyDevice(broker, "payer");
    const { id, change } = await asked({ sells_top_ups: true }, broker.ana.id);
    const params = { id: change.id };
    const sign = async () => passkey.assert((await ana.mySellingRequests({})).body[0]?.options ?? {});
    const credential = await sign();
    await admin.changeMerchant({ params: { id }, body: { name: "Another name" } });
    const renamed = ana.agreeToSelling({ params, body: { credential } });
    await expect(renamed).rejects.toMatchObject({ code: "passkey_refused" });
    await ana.agreeToSelling({ params, body: { credential: await sign() } });
    expect(await allowedOf(id)).toEqual(nothing);
    expect((await agree(change)).body).toMatchObject({ state: "done", user: "agreed" });
    expect(await allowedOf(id)).toMatchObject({ sells_top_ups: true });
    const refused = await asked({ sells_top_ups: true }, broker.ana.id);
    await ana.refuseSelling({ params: { id: refused.change.id } });
    await expect(agree(refused.change)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await allowedOf(refused.id)).toEqual(nothing);
  });

  it("does not agree with a device that may not pay yet, and is not asked what shows quotas alone", async () => {
    const mayPayFrom = new Date(broker.options.clock().getTime() + 86_400_000);
    const { client: ana, passkey } = await aPasskeyDevice(broker, "payer", { mayPayFrom });
    const { change } = await asked({ sells_top_ups: true }, broker.ana.id);
    const [request] = (await ana.mySellingRequests({})).body;
    const body = { credential: passkey.assert(request?.options ?? {}) };
    const early = ana.agreeToSelling({ params: { id: change.id }, body });
    await expect(early).rejects.toMatchObject({ code: "device_too_new" });
    const shown = await asked({ first_party: true }, broker.ana.id);
    expect((await agree(shown.change)).body).toMatchObject({ state: "done", user: "not_needed" });
  });
});
