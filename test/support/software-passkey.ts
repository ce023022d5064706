import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { JsonObject } from "../../src/contract/shared/fields.ts";

/** An authenticator and a browser in one, for tests: ES256, attestation `none` (WebAuthn 3 §6). */
export interface SoftwarePasskey {
  /** Base64url, as the wire has it. */
  readonly credentialId: string;
  /** Makes the passkey for creation options; answers `RegistrationResponseJSON`. */
  register(options: JsonObject, changes?: PasskeyChanges): JsonObject;
  /** Answers request options with `AuthenticationResponseJSON`. */
  assert(options: JsonObject, changes?: PasskeyChanges): JsonObject;
}

/** The deviations of a browser or authenticator from the standard. */
export interface PasskeyChanges {
  readonly userVerified?: boolean;
  readonly origin?: string;
  readonly rpId?: string;
  /** In a frame of another site's page. */
  readonly crossOrigin?: boolean;
  /** The signature counter; synchronised passkeys say 0. */
  readonly counter?: number;
  /** The owner that the passkey claims. */
  readonly userHandle?: string;
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** The head of a CBOR item (RFC 8949 §3): type and argument. */
function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}

type CborValue = number | string | Uint8Array | ReadonlyMap<number | string, CborValue>;

function cbor(value: CborValue): Buffer {
  if (typeof value === "number") return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = [...value].flatMap(([name, item]) => [cbor(name), cbor(item)]);
  return Buffer.concat([cborHead(5, value.size), ...entries]);
}

/** An ES256 key as COSE has it (RFC 9053 §7.1.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const fields: [number, CborValue][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ];
  return cbor(new Map(fields));
}

function uint(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

interface App {
  readonly rpId: string;
  readonly origin: string;
}

function clientData(
  type: "create" | "get",
  { challenge }: JsonObject,
  { origin, crossOrigin = false }: App & PasskeyChanges,
): Buffer {
  return Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin }));
}

function authenticatorData(extra: Uint8Array, { rpId, userVerified = true, counter = 0 }: App & PasskeyChanges) {
  const attested = extra.length > 0 ? FLAGS.attested : 0;
  const flags = FLAGS.present | (userVerified ? FLAGS.verified : 0) | attested;
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(counter, 4), extra]);
}

/** Makes a passkey that answers as a device with that host and origin would. */
export function createSoftwarePasskey(app: App, idBytes = 16): SoftwarePasskey {
  const id = randomBytes(idBytes);
  const credentialId = base64url(id);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let owner: string | undefined;

  const common = { id: credentialId, rawId: credentialId, type: "public-key", clientExtensionResults: {} };
  return {
    credentialId,
    register(options, changes = {}) {
      owner = (options.user as { readonly id: string }).id;
      const attested = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey(publicKey)]);
      const fields: [string, CborValue][] = [
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authenticatorData(attested, { ...app, ...changes })],
      ];
      return {
        ...common,
        response: {
          clientDataJSON: base64url(clientData("create", options, { ...app, ...changes })),
          attestationObject: base64url(cbor(new Map(fields))),
          transports: ["internal"],
        },
      };
    },
    assert(options, changes = {}) {
      const data = authenticatorData(new Uint8Array(), { ...app, ...changes });
      const client = clientData("get", options, { ...app, ...changes });
      const userHandle = changes.userHandle ?? owner;
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      };
    },
  };
}
