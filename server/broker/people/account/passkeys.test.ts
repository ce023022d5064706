import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { personContract } from "../../../../src/contract/broker/broker.ts";
import { asOperator } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, ownPage, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import { createSoftwarePasskey, type PasskeyChanges } from "../../../../test/support/software-passkey.ts";

const ANDROID = {
  "user-agent": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile",
  "sec-ch-ua": '"Chromium";v="130", "Google Chrome";v="130", "Not?A_Brand";v="99"',
  "sec-ch-ua-platform": '"Android"',
};

type Device = Awaited<ReturnType<typeof aPasskeyDevice>>;

let broker: TestBroker;
let ana: Device;
let ben: Device;

beforeAll(async () => {
  broker = await aBroker();
  ana = await aPasskeyDevice(broker, "payer");
  ben = await aPasskeyDevice(broker, "other");
});
afterAll(() => broker.stop());

/** A browser with that cookie, or with none. */
function browser(cookie = "", headers: Record<string, string> = {}): PersonClient {
  const own = { ...headers, ...ownPage(cookie) };
  return createClient(personContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => own });
}

async function signIn({ passkey }: Device, changes: PasskeyChanges = {}, client = browser(), options?: object) {
  const asked = options ?? (await client.startSignIn({})).body.options;
  const credential = passkey.assert(asked as Record<string, unknown>, changes);
  const { headers } = await client.signIn({ body: { credential } });
  return { cookie: (headers.get("set-cookie") ?? "").split(";")[0] ?? "", credential };
}

const refused = (detail: RegExp) => ({ code: "passkey_refused", detail: expect.stringMatching(detail) });

describe("a sign-in with a passkey", () => {
  it("needs no name, and is the person's own and no demo", async () => {
    const { body } = await browser().startSignIn({});
    expect(body.options).toMatchObject({ rpId: "localhost", allowCredentials: [], userVerification: "required" });
    const { cookie } = await signIn(ana);
    expect((await browser(cookie).me({})).body).toMatchObject({ id: broker.ana.id, demo: false });
    expect((await browser(cookie).myDevices({})).body).toMatchObject([{ id: ana.passkeyId, current: true }]);
  });

  it("ends the session that the browser had, and says in the list which browser it is", async () => {
    const old = await broker.signIn("payer");
    const { cookie } = await signIn(ana, {}, browser(old, ANDROID));
    await expect(browser(old).me({})).rejects.toMatchObject({ code: "unauthorized" });
    const [session] = (await browser(cookie).mySessions({})).body;
    expect(session).toMatchObject({ browser: "Chrome, Android", device: "Phone", current: true });
  });

  it("cannot be replayed, neither its assertion nor its challenge", async () => {
    const client = browser();
    const { options } = (await client.startSignIn({})).body;
    const { credential } = await signIn(ana, {}, client, options);
    await expect(client.signIn({ body: { credential } })).rejects.toMatchObject(refused(/answered before/));
    await expect(signIn(ana, {}, client, options)).rejects.toMatchObject(refused(/answered before/));
  });

  it("is over after five minutes", async () => {
    const { options } = (await browser().startSignIn({})).body;
    broker.advance(301);
    await expect(signIn(ana, {}, browser(), options)).rejects.toMatchObject(refused(/is over/));
  });

  it.each<[string, PasskeyChanges, RegExp]>([
    ["at another origin", { origin: "http://localhost:4001" }, /Open the app at http:\/\/localhost:4000/],
    ["for another host", { rpId: "evil.example" }, /Open the app at/],
    ["in a frame of another page", { crossOrigin: true }, /a window of its own/],
    ["without its person verified", { userVerified: false }, /fingerprint, face or PIN/],
    ["that says that it is another's", { userHandle: Buffer.from("somebody").toString("base64url") }, /another person/],
  ])("is refused to a passkey %s", async (_, changes, detail) => {
    await expect(signIn(ana, changes)).rejects.toMatchObject(refused(detail));
  });

  it("is refused when the counter does not go on, as a copy's would not", async () => {
    const device = await aPasskeyDevice(broker, "merchant");
    await signIn(device, { counter: 5 });
    const copied = { code: "passkey_copied", detail: expect.stringMatching(/counts backwards.*Freeze your account/) };
    await expect(signIn(device, { counter: 5 })).rejects.toMatchObject(copied);
    await expect(signIn(device, { counter: 0 })).rejects.toMatchObject(copied);
    await signIn(device, { counter: 6 });
  });

  it("is refused to a passkey that is unknown, signs with another key, or is no passkey at all", async () => {
    const stranger = createSoftwarePasskey({ rpId: "localhost", origin: ORIGIN });
    await expect(signIn({ ...ana, passkey: stranger })).rejects.toMatchObject(refused(/not known here/));
    const client = browser();
    const forged = async () => {
      const { options } = (await client.startSignIn({})).body;
      return { ...stranger.assert(options), id: ana.passkey.credentialId, rawId: ana.passkey.credentialId };
    };
    await expect(client.signIn({ body: { credential: await forged() } })).rejects.toMatchObject(refused(/signature/));
    for (const credential of [
      {},
      { id: 1 },
      { ...(await forged()), response: null },
      { response: { clientDataJSON: "e30" } },
    ]) {
      await expect(client.signIn({ body: { credential } })).rejects.toMatchObject({ code: "passkey_refused" });
    }
  });

  it("is refused to somebody who was disabled, and their sessions end", async () => {
    const device = await aPasskeyDevice(broker, "merchant");
    const { cookie } = await signIn(device);
    await broker.sql`update broker.people set disabled_at = now() where demo_name = 'merchant'`;
    await expect(browser(cookie).me({})).rejects.toMatchObject({ code: "unauthorized" });
    await expect(signIn(device)).rejects.toMatchObject(refused(/not known here/));
    await broker.sql`update broker.people set disabled_at = null where demo_name = 'merchant'`;
  });

  it("works for operators, for as long as operators stay signed in", async () => {
    const operator = await aPasskeyDevice(broker, "operator");
    const { cookie } = await signIn(operator);
    const look = () => broker.fetch(`${ORIGIN}/v1/operator/merchants`, { headers: ownPage(cookie) });
    expect((await look()).status).toBe(200);
    await expect(browser(cookie).me({})).rejects.toMatchObject({ code: "not_found" });
    broker.advance(16 * 60);
    expect((await look()).status).toBe(401);
  });

  it("is in the audit by ids, also when it is refused", async () => {
    const rows = await broker.sql<{ outcome: string; facts: string }[]>`
      select outcome, facts from broker.audit_records where action = 'sign in'`;
    expect(rows).toContainEqual({ outcome: "signed in", facts: JSON.stringify({ passkey_id: ana.passkeyId }) });
    expect(rows.map(({ outcome }) => outcome)).toContain("refused");
  });
});

describe("a proof", () => {
  async function prove(device: Device, client = device.client, changes: PasskeyChanges = {}) {
    const { proof_id, options = {}, method } = (await client.startProof({ body: { purpose: "invite_device" } })).body;
    expect(method).toBe("passkey");
    return { proof_id, credential: device.passkey.assert(options, changes) };
  }

  it("asks for the person's own passkeys, and is good once", async () => {
    const { options } = (await ana.client.startProof({ body: { purpose: "invite_device" } })).body;
    expect(options).toMatchObject({ allowCredentials: [{ id: ana.passkey.credentialId, transports: ["internal"] }] });
    const proof = await prove(ana);
    await ana.client.inviteDevice({ body: { proof } });
    await expect(ana.client.inviteDevice({ body: { proof } })).rejects.toMatchObject(refused(/used before/));
  });

  it("is good for its purpose and its person alone, and for two minutes", async () => {
    const proof = await prove(ana);
    const other = { params: { id: ana.passkeyId }, body: { proof } };
    await expect(ana.client.removeDevice(other)).rejects.toMatchObject({ code: "passkey_refused" });
    await expect(ben.client.inviteDevice({ body: { proof } })).rejects.toMatchObject({ code: "passkey_refused" });
    const late = await prove(ana);
    broker.advance(121);
    await expect(ana.client.inviteDevice({ body: { proof: late } })).rejects.toMatchObject(refused(/is over/));
  });

  it("is refused of another person's passkey, and without the person verified", async () => {
    const { proof_id, options = {} } = (await ana.client.startProof({ body: { purpose: "invite_device" } })).body;
    const theirs = { proof_id, credential: ben.passkey.assert(options) };
    await expect(ana.client.inviteDevice({ body: { proof: theirs } })).rejects.toMatchObject(refused(/another person/));
    const unverified = await prove(ana, ana.client, { userVerified: false });
    await expect(ana.client.inviteDevice({ body: { proof: unverified } })).rejects.toMatchObject(refused(/PIN/));
  });

  it("is the button alone for the demo's people, and never for a session of a passkey", async () => {
    const demo = await broker.as("payer");
    const { body } = await demo.startProof({ body: { purpose: "invite_device" } });
    expect(body).toMatchObject({ method: "button" });
    await demo.inviteDevice({ body: { proof: { demo: true } } });
    await expect(ana.client.inviteDevice({ body: { proof: { demo: true } } })).rejects.toMatchObject(refused(/button/));
    const [record] = await broker.sql<{ facts: string }[]>`
      select facts from broker.audit_records where action = 'prove presence' and outcome = 'accepted'
      order by id desc limit 1`;
    expect(JSON.parse(record?.facts ?? "")).toEqual({ purpose: "invite_device", demo: true });
  });
});

it("a proof of no form is told what forms there are", async () => {
  const body = JSON.stringify({ proof: { proof_id: v7() } });
  const headers = { ...ownPage((await signIn(ana)).cookie), "content-type": "application/json" };
  const response = await broker.fetch(`${ORIGIN}/v1/me/devices/invite`, { method: "POST", headers, body });
  const faults = [{ pointer: "/proof", detail: "must have proof_id and credential, or demo: true" }];
  expect([response.status, await response.json()]).toMatchObject([400, { errors: faults }]);
});

it("the operator pages are not for people, however they signed in", async () => {
  await asOperator(broker);
  const { cookie } = await signIn(ana);
  const response = await broker.fetch(`${ORIGIN}/v1/operator/enrolments`, { headers: ownPage(cookie) });
  expect(response.status).toBe(404);
});
