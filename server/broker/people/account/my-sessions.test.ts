import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  aBroker,
  ORIGIN,
  ownPage,
  type PersonClient,
  SESSION_COOKIE,
  type TestBroker,
} from "../../../../test/support/broker.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import { aBrowser, aPushService, type Pushed } from "../../../../test/support/push-service.ts";
import { createSignInSessions } from "../../access/sign-in-sessions.ts";

type Device = Awaited<ReturnType<typeof aPasskeyDevice>>;

const PROMPT_MS = 2_000;

let broker: TestBroker;
let push: Awaited<ReturnType<typeof aPushService>>;
let ana: Device;
let ben: Device;

beforeAll(async () => {
  push = await aPushService();
  broker = await aBroker({ pushNetwork: { allowed: ["127.0.0.0/8"] } });
  ana = await aPasskeyDevice(broker, "payer");
  ben = await aPasskeyDevice(broker, "other");
});
afterAll(async () => {
  await broker.stop();
  push.stop();
});

async function currentOf(client: PersonClient): Promise<string> {
  const { body } = await client.mySessions({});
  return body.find(({ current }) => current)?.id ?? "";
}

const end = async (by: Device, id: string, proof?: Awaited<ReturnType<Device["prove"]>>) =>
  by.client.endMySession({ params: { id }, body: { proof: proof ?? (await by.prove("end_session")) } });

/** The cookie of another session of a device. */
async function anotherSession({ passkeyId }: Device): Promise<string> {
  const [row] = await broker.sql<{ person_id: string }[]>`
    select person_id from broker.passkeys where id = ${passkeyId}`;
  const signIns = createSignInSessions({ ...broker.options, methods: ["passkey"] });
  return `${SESSION_COOKIE}=${await signIns.start(row?.person_id ?? "", undefined, { passkeyId })}`;
}

/** Reads a stream of hints until it says that there is something new. */
async function hinted(cookie: string): Promise<() => Promise<string>> {
  const { body } = await broker.fetch(`${ORIGIN}/v1/me/events`, { headers: ownPage(cookie) });
  const lines = body?.pipeThrough(new TextDecoderStream()).getReader();
  await lines?.read();
  return async () => {
    const line = await lines?.read();
    await lines?.cancel();
    return line?.value ?? "";
  };
}

describe("the list of sessions", () => {
  it("has the person's own, and ends one elsewhere at once", async () => {
    const elsewhere = await anotherSession(ana);
    const there = (await broker.fetch(`${ORIGIN}/v1/me/sessions`, { headers: ownPage(elsewhere) })).json();
    const id = ((await there) as { id: string; current: boolean }[]).find(({ current }) => current)?.id ?? "";
    expect((await ana.client.mySessions({})).body.filter(({ current }) => current)).toHaveLength(1);
    await expect(end(ben, id)).rejects.toMatchObject({ code: "not_found" });
    const hint = await hinted(elsewhere);
    const ended = await end(ana, id);
    expect(await hint()).toContain("look again");
    expect(ended.headers.get("set-cookie")).toBeNull();
    expect((await broker.fetch(`${ORIGIN}/v1/me`, { headers: ownPage(elsewhere) })).status).toBe(401);
    await expect(end(ana, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await ana.client.mySessions({})).body.map((session) => session.id)).not.toContain(id);
  });

  it("takes the cookie from the browser whose own session it ends, without a proof", async () => {
    const { client } = await aPasskeyDevice(broker, "merchant");
    const { headers } = await client.endMySession({ params: { id: await currentOf(client) }, body: {} });
    expect(headers.get("set-cookie")).toContain("Max-Age=0");
    await expect(client.me({})).rejects.toMatchObject({ code: "unauthorized" });
  });
});

describe("another session of one's own", () => {
  it("ends by a proof for that alone, once, so that a copy of a session keeps no owner from freezing", async () => {
    const other = await aPasskeyDevice(broker, "payer");
    const id = await currentOf(other.client);
    const bare = ana.client.endMySession({ params: { id }, body: {} });
    await expect(bare).rejects.toMatchObject({ code: "proof_needed" });
    await expect(end(ana, id, { demo: true })).rejects.toMatchObject({ code: "passkey_refused" });
    const forOther = await ana.prove("remove_device");
    await expect(end(ana, id, forOther)).rejects.toMatchObject({ code: "passkey_refused" });
    const proof = await ana.prove("end_session");
    await end(ana, id, proof);
    const next = await aPasskeyDevice(broker, "payer");
    await expect(end(ana, await currentOf(next.client), proof)).rejects.toMatchObject({ code: "passkey_refused" });
    expect((await next.client.freezeMe({})).body.frozen).toBe(true);
    await broker.sql`delete from broker.freezes`;
    ana = await aPasskeyDevice(broker, "payer");
  });

  it("is not ended by a device in its first day where it is an older one's, nor by one that may not pay", async () => {
    const old = await currentOf(ana.client);
    const young = await aPasskeyDevice(broker, "payer", { ageHours: 1 });
    await expect(end(young, old)).rejects.toMatchObject({ code: "device_too_new" });
    const mayPayFrom = new Date(broker.options.clock().getTime() + 60_000);
    const delayed = await aPasskeyDevice(broker, "payer", { mayPayFrom });
    await expect(end(delayed, old)).rejects.toMatchObject({ code: "device_too_new" });
    expect((await end(ana, await currentOf(young.client))).body.ended).toBe(true);
    expect((await end(ana, await currentOf(delayed.client))).body.ended).toBe(true);
  });

  it("that is ended is told to the person's other browsers, its own too, and stands in the list", async () => {
    const [ended, third] = [await aPasskeyDevice(broker, "payer"), await aPasskeyDevice(broker, "payer")];
    const browsers = [ended, third, ana].map((device, index) => {
      const browser = { ...aBrowser(), endpoint: `${push.endpoint}-${index}`, device };
      return browser;
    });
    for (const { device, endpoint, keys } of browsers) {
      await device.client.startMyPush({ body: { endpoint, keys, language: "en" } });
    }
    push.pushed.length = 0;
    await end(ana, await currentOf(ended.client));
    await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS, interval: 10 }).toBe(2);
    const readable = browsers.map(({ read }) =>
      push.pushed.some((message) => {
        try {
          return (read(message as Pushed) as { title: string }).title === "One of your sessions ended";
        } catch {
          return false;
        }
      }),
    );
    expect(readable).toEqual([true, true, false]);
    const [change] = (await third.client.myAccountChanges({})).body;
    expect(change).toMatchObject({ kind: "session_ended", here: false });
  });
});

describe("all other sessions of one's own", () => {
  const endOthers = async (by: Device, proof?: Awaited<ReturnType<Device["prove"]>>) =>
    by.client.endMyOtherSessions({ body: { proof: proof ?? (await by.prove("end_session")) } });
  const isIn = async (cookie: string) =>
    (await broker.fetch(`${ORIGIN}/v1/me`, { headers: ownPage(cookie) })).status === 200;

  it("end by one proof, on whatever device, and nobody else's do", async () => {
    const elsewhere = [await anotherSession(ana), await anotherSession(await aPasskeyDevice(broker, "payer"))];
    const bens = await anotherSession(ben);
    const { body: before } = await ana.client.mySessions({});
    const hint = await hinted(elsewhere[0] ?? "");
    const { body, headers } = await endOthers(ana);
    expect(body).toEqual({ ended: before.length - 1 });
    expect(headers.get("set-cookie")).toBeNull();
    expect(await hint()).toContain("look again");
    expect((await ana.client.mySessions({})).body).toMatchObject([{ current: true }]);
    expect(await Promise.all(elsewhere.map(isIn))).toEqual([false, false]);
    expect([await isIn(bens), (await ben.client.me({})).status]).toEqual([true, 200]);
    const subjects = await broker.sql<{ subject: string }[]>`
      select subject from broker.audit_records where action = 'end session' order by id desc
      limit ${body.ended}`;
    const ended = before.filter(({ current }) => !current).map(({ id }) => id);
    expect(subjects.map(({ subject }) => subject).sort()).toEqual(ended.sort());
    expect((await endOthers(ana)).body).toEqual({ ended: 0 });
  });

  it("take the proof that each of them takes", async () => {
    const other = await anotherSession(ana);
    const bare = { body: {} } as Parameters<PersonClient["endMyOtherSessions"]>[0];
    await expect(ana.client.endMyOtherSessions(bare)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(endOthers(ana, { demo: true })).rejects.toMatchObject({ code: "passkey_refused" });
    const forOther = await ana.prove("remove_device");
    await expect(endOthers(ana, forOther)).rejects.toMatchObject({ code: "passkey_refused" });
    const bens = await ben.prove("end_session");
    await expect(endOthers(ana, bens)).rejects.toMatchObject({ code: "passkey_refused" });
    expect(await isIn(other)).toBe(true);
  });

  it("stay, all of them, where the device may not end one", async () => {
    const young = await aPasskeyDevice(broker, "payer", { ageHours: 1 });
    const ofYoung = await anotherSession(young);
    await expect(endOthers(young)).rejects.toMatchObject({ code: "device_too_new" });
    const mayPayFrom = new Date(broker.options.clock().getTime() + 60_000);
    const delayed = await aPasskeyDevice(broker, "payer", { mayPayFrom });
    await expect(endOthers(delayed)).rejects.toMatchObject({ code: "device_too_new" });
    expect([await isIn(ofYoung), (await ana.client.me({})).status]).toEqual([true, 200]);
  });

  it("are told of once, however many there are", async () => {
    const other = await aPasskeyDevice(broker, "payer");
    await anotherSession(other);
    await broker.sql`delete from broker.account_changes`;
    await endOthers(ana);
    expect((await ana.client.myAccountChanges({})).body).toMatchObject([{ kind: "session_ended", here: true }]);
  });
});

describe("the limit of proofs", () => {
  it("that one session uses up leaves another session of the same person theirs", async () => {
    const [thief, owner] = [await aPasskeyDevice(broker, "payer"), await aPasskeyDevice(broker, "payer")];
    const often = async () => {
      for (let count = 0; count < 40; count += 1) await thief.prove("remove_device");
    };
    await expect(often()).rejects.toMatchObject({ code: "too_many_requests" });
    expect(await owner.prove("remove_device")).toHaveProperty("proof_id");
  });
});
