import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/shared/fields.ts";
import { aBroker, anOrder, type TestBroker } from "../support/broker.ts";
import { browserAt } from "../support/enrolled-device.ts";
import { aPasskeyDevice } from "../support/passkey-device.ts";
import type { PasskeyChanges } from "../support/software-passkey.ts";

const LEAST_BENDS = 44;

type Device = Awaited<ReturnType<typeof aPasskeyDevice>>;
/** Makes an altered assertion for options. */
type Alteration = (by: Device, options: JsonObject) => JsonObject;

let broker: TestBroker;
let phone: Device;

beforeAll(async () => {
  broker = await aBroker();
  phone = await aPasskeyDevice(broker, "payer");
});
afterAll(() => broker.stop());

function bytes(text: unknown): Buffer {
  return Buffer.from(String(text), "base64url");
}

function flipped(text: unknown, at: number): string {
  const changed = bytes(text);
  const index = at < 0 ? changed.length + at : at;
  changed[index] = (changed[index] ?? 0) ^ 1;
  return changed.toString("base64url");
}

/** Ways to alter a field that is bytes in base64url. */
const OF_BYTES: Readonly<Record<string, (value: unknown) => unknown>> = {
  missing: () => undefined,
  null: () => null,
  empty: () => "",
  "a number": () => 7,
  "a list": (value) => [value],
  "with another first byte": (value) => flipped(value, 0),
  "with another last byte": (value) => flipped(value, -1),
  "one byte shorter": (value) => bytes(value).subarray(0, -1).toString("base64url"),
  "one byte longer": (value) => Buffer.concat([bytes(value), Buffer.of(0)]).toString("base64url"),
  "all zero": (value) => Buffer.alloc(bytes(value).length).toString("base64url"),
};

/** Ways to alter a field that the browser writes as text, all of which the signature covers. */
const OF_TEXT: Readonly<Record<string, (value: unknown) => unknown>> = {
  missing: () => undefined,
  null: () => null,
  empty: () => "",
  "another text": (value) => `${value}x`,
};

/** Bits of the authenticator's flags, and bytes of its counter, which the signature covers too. */
const OF_AUTHENTICATOR = { "no presence": [32, 0x01], "no verification": [32, 0x04], counter: [36, 0x01] } as const;

/** Signed by the passkey itself, but not for this origin, host, page or person. */
const SIGNED: Readonly<Record<string, PasskeyChanges>> = {
  "at another origin": { origin: "http://localhost:4001" },
  "at the origin by https": { origin: "https://localhost:4000" },
  "for another host": { rpId: "evil.example" },
  "in a frame": { crossOrigin: true },
  "without its person verified": { userVerified: false },
  "with another owner": { userHandle: Buffer.from("somebody").toString("base64url") },
};

function bentResponse(by: Device, options: JsonObject, change: (response: JsonObject) => JsonObject): JsonObject {
  const credential = by.passkey.assert(options);
  return { ...credential, response: change(credential.response as JsonObject) };
}

function ofCredential(): [string, Alteration][] {
  return ["id", "rawId"].flatMap((field) =>
    Object.entries(OF_BYTES).map(([how, change]): [string, Alteration] => [
      `${field} ${how}`,
      (by, options) => {
        const credential = by.passkey.assert(options);
        return { ...credential, [field]: change(credential[field]) };
      },
    ]),
  );
}

/** Bytes behind an ECDSA signature's own end are no part of it: it is the same signature of the same person. */
const IS_THE_SAME = "signature one byte longer";

function ofResponse(): [string, Alteration][] {
  return ["clientDataJSON", "authenticatorData", "signature"].flatMap((field) =>
    Object.entries(OF_BYTES).map(([how, change]): [string, Alteration] => [
      `${field} ${how}`,
      (by, options) => bentResponse(by, options, (response) => ({ ...response, [field]: change(response[field]) })),
    ]),
  );
}

function ofClientData(): [string, Alteration][] {
  return ["type", "challenge", "origin"].flatMap((field) =>
    Object.entries(OF_TEXT).map(([how, change]): [string, Alteration] => [
      `client data's ${field} ${how}`,
      (by, options) =>
        bentResponse(by, options, (response) => {
          const data = JSON.parse(bytes(response.clientDataJSON).toString()) as JsonObject;
          const text = JSON.stringify({ ...data, [field]: change(data[field]) });
          return { ...response, clientDataJSON: Buffer.from(text).toString("base64url") };
        }),
    ]),
  );
}

function ofAuthenticator(): [string, Alteration][] {
  return Object.entries(OF_AUTHENTICATOR).map(([how, [at, bit]]): [string, Alteration] => [
    `authenticator data: ${how}`,
    (by, options) =>
      bentResponse(by, options, (response) => {
        const data = bytes(response.authenticatorData);
        data[at] = (data[at] ?? 0) ^ bit;
        return { ...response, authenticatorData: data.toString("base64url") };
      }),
  ]);
}

const BENDS = (
  [
    ...ofCredential(),
    ...ofResponse(),
    ...ofClientData(),
    ...ofAuthenticator(),
    ...Object.entries(SIGNED).map(([how, changes]): [string, Alteration] => [
      how,
      (by, asked) => by.passkey.assert(asked, changes),
    ]),
    ["another challenge", (by, options) => by.passkey.assert({ ...options, challenge: flipped(options.challenge, 0) })],
  ] satisfies [string, Alteration][]
).filter(([how]) => how !== IS_THE_SAME);

/** Each ceremony: asks for options and answers them with an assertion; rejects if that is refused. */
const CEREMONIES: Readonly<Record<string, (bend: Alteration) => Promise<unknown>>> = {
  async "a sign-in"(bend) {
    const browser = browserAt(broker, "");
    const { options } = (await browser.startSignIn({})).body;
    return browser.signIn({ body: { credential: bend(phone, options) } });
  },
  async "an approval"(bend) {
    const { session } = await anOrder(broker, { amount: 1_000 });
    const { payload } = (await broker.widget(session).widgetSession({})).body;
    const {
      id,
      payee,
      amount,
      reference = "",
      options = {},
    } = (await phone.client.openApproval({ body: { payload } })).body;
    const body = { payee, amount, reference, credential: bend(phone, options) };
    return phone.client.confirmApproval({ params: { id }, body });
  },
  async "a proof"(bend) {
    const { proof_id, options = {} } = (await phone.client.startProof({ body: { purpose: "invite_device" } })).body;
    return phone.client.inviteDevice({ body: { proof: { proof_id, credential: bend(phone, options) } } });
  },
};

/** Counts the records that an altered assertion must not add to. */
async function counts(): Promise<unknown> {
  const [found] = await broker.sql`select (select count(*) from broker.sign_in_sessions) as sessions,
    (select count(*) from broker.enrolments) as links, (select count(*) from service.transactions) as payments`;
  return { ...found };
}

describe("bent assertions", () => {
  it(`are at least ${LEAST_BENDS} for each ceremony`, () => {
    expect(new Set(BENDS.map(([how]) => how)).size).toBeGreaterThanOrEqual(LEAST_BENDS);
  });

  it.each(Object.entries(CEREMONIES))("%s is let through with one that is as it should be", async (_, answer) => {
    await answer((by, options) => by.passkey.assert(options));
  });

  it("with bytes behind the signature's end are the same assertion, which is good once", async () => {
    const browser = browserAt(broker, "");
    const { options } = (await browser.startSignIn({})).body;
    const longer = OF_BYTES["one byte longer"];
    const bent = bentResponse(phone, options, (response) => ({ ...response, signature: longer?.(response.signature) }));
    await browser.signIn({ body: { credential: bent } });
    const again = browser.signIn({ body: { credential: phone.passkey.assert(options) } });
    await expect(again).rejects.toMatchObject({ code: "passkey_refused" });
  });

  describe.each(Object.entries(CEREMONIES))("%s", (_, answer) => {
    it.each(BENDS)("is refused: %s", async (_how, bend) => {
      // Each is tried in a minute of its own, so that it is refused for itself and not by a rate limit.
      broker.advance(60);
      const before = await counts();
      const outcome = await answer(bend).then(
        () => "let through",
        (error: { readonly code?: string }) => error.code,
      );
      expect(["passkey_refused", "invalid_request"]).toContain(outcome);
      expect(await counts()).toEqual(before);
    });
  });
});
