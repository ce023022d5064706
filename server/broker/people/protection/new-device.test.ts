import { afterAll, beforeAll, expect, it } from "vitest";
import { asOperator, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, type TestBroker } from "../../../../test/support/broker.ts";
import { type EnrolledDevice, enrolBy, proveBy } from "../../../../test/support/enrolled-device.ts";
import { type AnotherOperator, anotherOperator, inviteByTwo } from "../../../../test/support/second-operator.ts";
import { aUser } from "../../../../test/support/service.ts";

let broker: TestBroker;
let operator: OperatorClient;
let second: AnotherOperator;

beforeAll(async () => {
  broker = await aBroker();
  await signOperatorsIn();
});
afterAll(() => broker.stop());

async function signOperatorsIn(): Promise<void> {
  operator = await asOperator(broker);
  second = await anotherOperator(broker, "clerk");
}

const invite = async (user_id: string) => enrolBy(broker, await inviteByTwo(operator, second.client, { user_id }));

async function transfer({ client, passkey }: EnrolledDevice, amount: number) {
  const { handle } = (await client.lookUp({ body: { phone: broker.ben.phone } })).body;
  const { id, payee, options = {} } = (await client.openApproval({ body: { handle, amount } })).body;
  const body = { payee, amount, credential: passkey.assert(options) };
  return (await client.confirmApproval({ params: { id }, body })).body.state;
}

const over = (left: number) => ({
  code: "limit_exceeded",
  exceededLimit: { name: "new_device_limit", amount: 200_000, left, until: expect.any(String) },
});

it("a first device pays up to the new-device limit, with what it invites, and past it after a day", async () => {
  const user = await aUser(broker.entity, { name: "First", quota: 1_000_000 });
  const phone = await invite(user.id);
  expect(phone.body).toEqual({ signed_in: true });
  await expect(transfer(phone, 200_001)).rejects.toMatchObject(over(200_000));
  expect(await transfer(phone, 150_000)).toBe("approved");
  expect((await phone.client.myLimits({})).body.new_device).toMatchObject({ amount: 200_000, left: 50_000 });
  const invitation = await phone.client.inviteDevice({ body: { proof: await proveBy(phone, "invite_device") } });
  const { link, code } = invitation.body;
  const tablet = await enrolBy(broker, { secret: link.split("#")[1] ?? "", code });
  await expect(transfer(tablet, 50_001)).rejects.toMatchObject(over(50_000));
  expect(await transfer(tablet, 50_000)).toBe("approved");
  await expect(transfer(phone, 1)).rejects.toMatchObject(over(0));
  broker.advance(86_401);
  expect(await transfer(phone, 500_000)).toBe("approved");
  expect((await phone.client.myLimits({})).body).not.toHaveProperty("new_device");
  await signOperatorsIn();
});

it("twenty payments at once with a new device come to no more than the limit", async () => {
  const user = await aUser(broker.entity, { name: "At once", quota: 1_000_000 });
  await broker.sql`update broker.entity_rules set new_device_limit = 550000`;
  const { client, passkey } = await invite(user.id);
  const { handle } = (await client.lookUp({ body: { phone: broker.ben.phone } })).body;
  const opened = await Promise.all(
    Array.from({ length: 20 }, async () => (await client.openApproval({ body: { handle, amount: 1_000 } })).body),
  );
  const states = await Promise.allSettled(
    opened.map(({ id, payee, options = {} }) =>
      client.confirmApproval({
        params: { id },
        body: { payee, amount: 1_000, credential: passkey.assert(options) },
      }),
    ),
  );
  expect(states.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await broker.sql`update broker.entity_rules set new_device_limit = null`;
});

it("whoever had a device before is enrolled anew, also when none is left, and waits the whole time", async () => {
  const user = await aUser(broker.entity, { name: "Lost all", quota: 1_000_000 });
  await invite(user.id);
  await broker.sql`
    update broker.passkeys k set removed_at = now() from broker.people p
    where p.id = k.person_id and p.user_id = ${user.id}`;
  const again = await invite(user.id);
  expect(again.body.may_pay_from).toBeDefined();
  await expect(transfer(again, 1)).rejects.toMatchObject({ code: "device_too_new" });
});
