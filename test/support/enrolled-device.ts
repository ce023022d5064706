import { createClient } from "../../src/client.ts";
import { personContract } from "../../src/contract/broker/broker.ts";
import { ORIGIN, ownPage, type PersonClient, type TestBroker } from "./broker.ts";
import { createSoftwarePasskey, type PasskeyChanges } from "./software-passkey.ts";

/** The secret and the code that open an enrolment. */
export interface Link {
  readonly secret: string;
  readonly code: string;
}

/** The app in a browser with that cookie, or with none. */
export function browserAt({ fetch }: TestBroker, cookie = ""): PersonClient {
  return createClient(personContract, { baseUrl: ORIGIN, fetch, headers: () => ownPage(cookie) });
}

/** Enrols a device by a link, as the app does, which signs it in. */
export async function enrolBy(
  broker: TestBroker,
  link: Link,
  { cookie = "", changes = {} as PasskeyChanges, atFinish = link.code } = {},
) {
  const client = browserAt(broker, cookie);
  const passkey = createSoftwarePasskey({ rpId: new URL(ORIGIN).hostname, origin: ORIGIN });
  const { options } = (await client.startEnrolment({ body: link })).body;
  const credential = passkey.register(options, changes);
  const finish = () => client.finishEnrolment({ body: { ...link, code: atFinish, credential, device: "Phone" } });
  const { body, headers } = await finish();
  const session = (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { passkey, body, options, finish, cookie: session, client: browserAt(broker, session) };
}

/** A device that was enrolled by a link. */
export type EnrolledDevice = Awaited<ReturnType<typeof enrolBy>>;

/** Makes the passkey's proof that the person is there and means this. */
export async function proveBy({ client, passkey }: EnrolledDevice, purpose: "invite_device" | "remove_device") {
  const { proof_id, options = {} } = (await client.startProof({ body: { purpose } })).body;
  return { proof_id, credential: passkey.assert(options) };
}
