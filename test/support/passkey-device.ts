import { randomBytes } from "node:crypto";
import { verifyRegistrationResponse } from "@simplewebauthn/server";
import { v7 } from "uuid";
import { createSignInSessions } from "../../server/broker/access/sign-in-sessions.ts";
import { createClient } from "../../src/client.ts";
import { personContract } from "../../src/contract/broker/broker.ts";
import type { Proof, ProofPurpose } from "../../src/contract/broker/passkeys.ts";
import { ORIGIN, ownPage, type PersonClient, SESSION_COOKIE, type TestBroker } from "./broker.ts";
import { createSoftwarePasskey, type SoftwarePasskey } from "./software-passkey.ts";

/** A device of a person of the demo, which has a passkey like anybody else's, and is signed in with it. */
interface PasskeyDevice {
  readonly passkey: SoftwarePasskey;
  readonly passkeyId: string;
  readonly client: PersonClient;
  /** Makes the passkey's proof for one guarded purpose of the account. */
  readonly prove: (purpose: ProofPurpose) => Promise<Proof>;
}

/** Gives a person a passkey as an enrolment would, and signs in with it. */
export async function aPasskeyDevice(
  broker: TestBroker,
  person: string,
  { mayPayFrom = new Date(0), ageHours = 48 }: { readonly mayPayFrom?: Date; readonly ageHours?: number } = {},
): Promise<PasskeyDevice> {
  const { sql, options, fetch } = broker;
  const [found] = await sql<{ id: string }[]>`select id from broker.people where demo_name = ${person}`;
  const personId = found?.id ?? "";
  const passkey = createSoftwarePasskey({ rpId: new URL(ORIGIN).hostname, origin: ORIGIN });
  const challenge = randomBytes(32).toString("base64url");
  const user = { id: Buffer.from(personId).toString("base64url") };
  const { registrationInfo } = await verifyRegistrationResponse({
    response: passkey.register({ challenge, user }) as never,
    ...{ expectedChallenge: challenge, expectedOrigin: ORIGIN, expectedRPID: new URL(ORIGIN).hostname },
  });
  const publicKey = registrationInfo?.credential.publicKey ?? new Uint8Array();
  const passkeyId = v7();
  const addedAt = new Date(options.clock().getTime() - ageHours * 60 * 60_000);
  await sql`
    insert into broker.passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at,
      may_pay_from)
    values (${passkeyId}, ${personId}, ${Buffer.from(passkey.credentialId, "base64url")}, ${publicKey}, 0,
      ${["internal"]}, 'Phone', ${addedAt}, ${mayPayFrom})`;
  const token = await createSignInSessions({ ...options, methods: ["passkey"] }).start(personId, undefined, {
    passkeyId,
  });
  const headers = ownPage(`${SESSION_COOKIE}=${token}`);
  const client = createClient(personContract, { baseUrl: ORIGIN, fetch, headers: () => headers });
  return {
    ...{ passkey, passkeyId, client },
    async prove(purpose) {
      const { proof_id, options = {} } = (await client.startProof({ body: { purpose } })).body;
      return { proof_id, credential: passkey.assert(options) };
    },
  };
}
