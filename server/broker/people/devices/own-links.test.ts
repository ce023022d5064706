import { afterAll, beforeAll, expect, it } from "vitest";
import { asOperator } from "../../../../test/support/as-operator.ts";
import { aBroker, type TestBroker } from "../../../../test/support/broker.ts";
import { enrolBy } from "../../../../test/support/enrolled-device.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import { anotherOperator } from "../../../../test/support/second-operator.ts";

const over = { code: "enrolment_not_found" };

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

it("a link of one's own leaves an operator's alone, which ends it in turn", async () => {
  const [operator, second] = [await asOperator(broker), await anotherOperator(broker, "clerk")];
  const device = await aPasskeyDevice(broker, "payer");
  const other = await aPasskeyDevice(broker, "payer");
  const secretOf = (link = "") => link.slice(link.indexOf("#") + 1);
  const invite = async () => {
    const { link, code } = (await device.client.inviteDevice({ body: { proof: await device.prove("invite_device") } }))
      .body;
    return { secret: secretOf(link), code };
  };
  const byOperator = async () => {
    const { id, link } = (await operator.createEnrolment({ body: { user_id: broker.ana.id } })).body;
    const { code } = (await second.client.showEnrolmentCode({ params: { id } })).body;
    return { secret: secretOf(link), code };
  };
  const given = await byOperator();
  const [first, latest] = [await invite(), await invite()];
  await expect(enrolBy(broker, first)).rejects.toMatchObject(over);
  const proof = await device.prove("remove_device");
  await device.client.removeDevice({ params: { id: other.passkeyId }, body: { proof } });
  await expect(enrolBy(broker, latest)).rejects.toMatchObject(over);
  const enrolled = await enrolBy(broker, given);
  expect((await enrolled.client.me({})).body.id).toBe(broker.ana.id);
  const own = await invite();
  await byOperator();
  await expect(enrolBy(broker, own)).rejects.toMatchObject(over);
});
