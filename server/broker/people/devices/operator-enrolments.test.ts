import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asOperator, brokerDump, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { browserAt, enrolBy } from "../../../../test/support/enrolled-device.ts";
import { type AnotherOperator, anotherOperator, inviteByTwo } from "../../../../test/support/second-operator.ts";
import { createSoftwarePasskey } from "../../../../test/support/software-passkey.ts";

let broker: TestBroker;
let operator: OperatorClient;
let second: AnotherOperator;

beforeAll(async () => {
  broker = await aBroker();
  operator = await asOperator(broker);
  second = await anotherOperator(broker, "clerk");
});
afterAll(() => broker.stop());

describe("a link that an operator asks for", () => {
  it("is made once for an idempotency key, told once, and outlives the copies", async () => {
    const [body, key] = [{ user_id: broker.ben.id }, { idempotencyKey: v7() }];
    const copies = await Promise.all([1, 2, 3].map(() => operator.createEnrolment({ body }, key)));
    copies.push(await operator.createEnrolment({ body }, key));
    const [told, ...others] = copies.filter((copy) => copy.body.link !== undefined);
    expect(others).toEqual([]);
    if (told === undefined) throw new Error("nobody was told the link");
    const { link = "", ...kept } = told.body;
    for (const copy of copies.filter((it) => it !== told)) expect(copy).toMatchObject({ body: kept, replayed: true });
    const another = operator.createEnrolment({ body: { user_id: broker.ana.id } }, key);
    await expect(another).rejects.toMatchObject({ code: "idempotency_key_reused" });
    const [, secret = ""] = link.split("#");
    expect(await brokerDump(broker)).not.toContain(secret.slice(3));
    const { code } = (await second.client.showEnrolmentCode({ params: { id: kept.id } })).body;
    const { client } = await enrolBy(broker, { secret, code });
    expect((await client.me({})).body.id).toBe(broker.ben.id);
    const records = await broker.sql`
      select outcome from broker.audit_records where action = 'make enrolment' and outcome <> 'done'`;
    expect(records.map(({ outcome }) => outcome)).toEqual(["made"]);
  });

  it("keeps no passkey whose id is longer than ids may be", async () => {
    const { secret, code } = await inviteByTwo(operator, second.client, { user_id: broker.ana.id });
    const page = browserAt(broker);
    const finish = async (idBytes: number) => {
      const { options } = (await page.startEnrolment({ body: { secret, code } })).body;
      const passkey = createSoftwarePasskey({ rpId: new URL(ORIGIN).hostname, origin: ORIGIN }, idBytes);
      return page.finishEnrolment({ body: { secret, code, credential: passkey.register(options), device: "Phone" } });
    };
    for (const idBytes of [1024, 3000])
      await expect(finish(idBytes)).rejects.toMatchObject({ code: "passkey_refused" });
    expect((await finish(1023)).body.signed_in).toBe(true);
  });

  it.each([{ phone: "by heart" }, { nit: "?" }, { phone: "+573009999999" }])("of %o is of nobody", async (body) => {
    const nobody = { code: "user_not_found", detail: expect.stringContaining("digit by digit") };
    await expect(operator.createEnrolment({ body })).rejects.toMatchObject(nobody);
  });
});
