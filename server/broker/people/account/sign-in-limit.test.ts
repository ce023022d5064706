import { BlockList } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { personContract } from "../../../../src/contract/broker/broker.ts";
import { aBroker, ORIGIN, ownPage, type TestBroker } from "../../../../test/support/broker.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";

const MOST_TRIES = 300;
const ADDRESSES = 50;

let broker: TestBroker;

beforeAll(async () => {
  const trustedProxies = new BlockList();
  trustedProxies.addAddress("127.0.0.1");
  broker = await aBroker({ trustedProxies });
});
afterAll(() => broker.stop());

it("sign-in is counted by passkey, so that who has one of a person's devices keeps no other out", async () => {
  const [thief, owner] = [await aPasskeyDevice(broker, "payer"), await aPasskeyDevice(broker, "payer")];
  const signIn = async ({ passkey }: typeof owner, address: string) => {
    const headers = () => ({ ...ownPage(""), "x-forwarded-for": address });
    const client = createClient(personContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
    const { options } = (await client.startSignIn({})).body;
    return (await client.signIn({ body: { credential: passkey.assert(options) } })).status;
  };
  const often = async () => {
    for (let time = 0; time < MOST_TRIES; time += 1) await signIn(thief, `203.0.113.${time % ADDRESSES}`);
  };
  await expect(often()).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await signIn(owner, "198.51.100.7")).toBe(200);
});
