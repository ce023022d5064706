import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asOperator, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, type TestBroker } from "../../../../test/support/broker.ts";
import { enrolBy } from "../../../../test/support/enrolled-device.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import { anotherOperator } from "../../../../test/support/second-operator.ts";

type Device = Awaited<ReturnType<typeof aPasskeyDevice>>;

let broker: TestBroker;
let operator: OperatorClient;
beforeAll(async () => {
  broker = await aBroker();
  operator = await asOperator(broker);
});
afterAll(() => broker.stop());
beforeEach(async () => {
  await broker.sql`update broker.passkeys set removed_at = now()`;
});

const aDevice = (ageHours: number) => aPasskeyDevice(broker, "payer", { ageHours });

async function remove({ client, prove }: Device, { passkeyId }: Device) {
  return client.removeDevice({ params: { id: passkeyId }, body: { proof: await prove("remove_device") } });
}

async function live(): Promise<readonly string[]> {
  const rows = await broker.sql<{ id: string }[]>`select id from broker.passkeys where removed_at is null`;
  return rows.map(({ id }) => id);
}

/** Stores that one operator alone decided a device, or that two did or the person's own device made it. */
async function decided(device: Device, { byOne }: { readonly byOne: boolean }): Promise<void> {
  await broker.sql`update broker.passkeys set refusable = ${byOne} where id = ${device.passkeyId}`;
}

describe("a device that takes another away", () => {
  it("is no device of the first day, unless the other is younger still", async () => {
    const [owner, thief] = [await aDevice(48), await aDevice(23)];
    await expect(remove(thief, owner)).rejects.toMatchObject({ code: "device_too_new" });
    const newer = await aDevice(1);
    await remove(thief, newer);
    expect((await live()).toSorted()).toEqual([owner.passkeyId, thief.passkeyId].toSorted());
  });

  it("leaves one that two operators decided, or an own device invited, for its first day", async () => {
    const [owner, other] = [await aDevice(48), await aDevice(23)];
    await decided(other, { byOne: false });
    await expect(remove(owner, other)).rejects.toMatchObject({ code: "device_in_first_day" });
    await broker.sql`update broker.passkeys set created_at = created_at - interval '2 hours'`;
    await remove(owner, other);
    expect(await live()).toEqual([owner.passkeyId]);
  });

  it("refuses one that one operator decided, at once", async () => {
    const [owner, other] = [await aDevice(48), await aDevice(0)];
    await decided(other, { byOne: true });
    await remove(owner, other);
    expect(await live()).toEqual([owner.passkeyId]);
  });

  it("may be one of two that try it at once: the other stays", async () => {
    const [one, two] = [await aDevice(48), await aDevice(48)];
    const tries = await Promise.allSettled([remove(one, two), remove(two, one)]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await live()).toHaveLength(1);
  });
});

describe("an enrolment with retire_devices", () => {
  it("needs a second operator whatever the level, and is listed as what it is", async () => {
    const second = await anotherOperator(broker, "clerk");
    const body = { user_id: broker.ana.id, retire_devices: true };
    const { id, state, retires_devices } = (await operator.createEnrolment({ body })).body;
    expect({ state, retires_devices }).toEqual({ state: "waiting", retires_devices: true });
    expect((await second.client.agreeToEnrolment({ params: { id } })).body.state).toBe("ready");
  });

  it("takes all earlier devices away as the new one comes, which nobody refuses in its first day", async () => {
    const [stolen, second] = [await aDevice(48), await anotherOperator(broker, "clerk")];
    const body = { user_id: broker.ana.id, retire_devices: true };
    const { id, link = "" } = (await operator.createEnrolment({ body })).body;
    await second.client.agreeToEnrolment({ params: { id } });
    const { code } = (await second.client.showEnrolmentCode({ params: { id } })).body;
    const invited = await stolen.client.inviteDevice({ body: { proof: await stolen.prove("invite_device") } });
    const enrolled = await enrolBy(broker, { secret: link.slice(link.indexOf("#") + 1), code });
    const late = enrolBy(broker, { secret: invited.body.link.split("#")[1] ?? "", code: invited.body.code });
    await expect(late).rejects.toMatchObject({ code: "enrolment_not_found" });
    await expect(stolen.client.me({})).rejects.toMatchObject({ code: "unauthorized" });
    expect((await enrolled.client.myDevices({})).body).toMatchObject([{ name: "Phone", current: true }]);
    const [kept] = await broker.sql<{ refusable: boolean }[]>`
      select refusable from broker.passkeys where removed_at is null and name = 'Phone'`;
    expect(kept).toEqual({ refusable: false });
  });

  it("by one operator alone opens nothing, and takes nothing away", async () => {
    const owner = await aDevice(48);
    await anotherOperator(broker, "clerk");
    const { link = "" } = (await operator.createEnrolment({ body: { user_id: broker.ana.id, retire_devices: true } }))
      .body;
    const opened = enrolBy(broker, { secret: link.slice(link.indexOf("#") + 1), code: "000000" });
    await expect(opened).rejects.toMatchObject({ code: "enrolment_waiting" });
    expect((await owner.client.me({})).body.id).toBe(broker.ana.id);
  });
});
