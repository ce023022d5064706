import { parseStrictJson, UnfitJsonError } from "../../../src/strict-json.ts";
import type { ApiClientCredentials } from "../api-clients/api-clients.ts";
import { TokenRefusal } from "./token-answer.ts";

/** A request at the token endpoint: the two headers that matter, and the body as bytes, not parsed yet. */
export interface ParsedTokenRequest {
  readonly contentType: string | null;
  /** The header `Authorization`. */
  readonly authorization: string | null;
  readonly body: Uint8Array;
}

/** The credentials, and the scopes that are asked for: undefined where the request names none. */
export interface TokenDemand {
  readonly credentials: ApiClientCredentials;
  readonly scope: string | undefined;
}

type Fields = Readonly<Record<FieldName, string | undefined>>;
type FieldName = (typeof FIELD_NAMES)[number];

const FIELD_NAMES = ["client_id", "client_secret", "grant_type", "scope"] as const;
const GRANT_TYPE = "client_credentials";
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)"?/i;

/**
 * Reads the credentials and the scope of a request for a token: JSON, or the form of RFC 6749 §4.4.2, with the
 * credentials in the body or by HTTP Basic (§2.3.1). Fields that are not known are ignored, as §3.2 asks. Throws
 * {@link TokenRefusal}.
 */
export function readTokenRequest({ contentType, authorization, body }: ParsedTokenRequest): TokenDemand {
  const form = isForm(contentType);
  const text = decodeUtf8(body);
  const fields = form ? readForm(text) : readJson(text);
  if (form && fields.grant_type === undefined) throw lacking(["grant_type"]);
  if (fields.grant_type !== undefined && fields.grant_type !== GRANT_TYPE) {
    throw new TokenRefusal("unsupported_grant_type", `Only the grant type ${GRANT_TYPE} is served.`);
  }
  const credentials = authorization === null ? bodyCredentials(fields, form) : basicCredentials(authorization, fields);
  return { credentials, scope: fields.scope };
}

function isForm(contentType: string | null): boolean {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== JSON_TYPE && type !== FORM_TYPE) throw invalid(`Send the body as ${JSON_TYPE} or ${FORM_TYPE}.`);
  const charset = CHARSET.exec(contentType ?? "")?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw invalid("Send the body in UTF-8.");
  return type === FORM_TYPE;
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw invalid("The body is not valid UTF-8.");
  }
}

/** RFC 6749 §5.2 has no place for a pointer, and allows a description ASCII only: no name that the client chose. */
function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof UnfitJsonError)) throw error;
    const repeated = FIELD_NAMES.find((name) => error.repeated === `/${name}`);
    throw invalid(repeated === undefined ? error.message : `${repeated} must be sent once.`);
  }
}

function readJson(text: string): Fields {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("The body must be an object.");
  return fieldsOf((name) => {
    const field: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (field === undefined || field === null || field === "") return undefined;
    if (typeof field !== "string") throw invalid(`${name} must be a string.`);
    return field;
  });
}

function readForm(text: string): Fields {
  const parameters = new URLSearchParams(text);
  return fieldsOf((name) => {
    const values = parameters.getAll(name);
    if (values.length > 1) throw invalid(`${name} must be sent once.`);
    // Without a value it counts as left out (RFC 6749 §3.1).
    return values[0] || undefined;
  });
}

function fieldsOf(read: (name: FieldName) => string | undefined): Fields {
  return {
    client_id: read("client_id"),
    client_secret: read("client_secret"),
    grant_type: read("grant_type"),
    scope: read("scope"),
  };
}

/** A form without credentials has not tried to authenticate (RFC 6749 §5.2); JSON lacks two required fields. */
function bodyCredentials({ client_id, client_secret }: Fields, form: boolean): ApiClientCredentials {
  if (client_id !== undefined && client_secret !== undefined) {
    return { clientId: client_id, clientSecret: client_secret };
  }
  if (form && client_id === undefined && client_secret === undefined) {
    throw unknownClient("Send client_id and client_secret, in the body or by HTTP Basic.");
  }
  throw lacking([
    ...(client_id === undefined ? ["client_id"] : []),
    ...(client_secret === undefined ? ["client_secret"] : []),
  ]);
}

function basicCredentials(authorization: string, fields: Fields): ApiClientCredentials {
  if (fields.client_secret !== undefined) {
    throw invalid("Send the credentials in the body or by HTTP Basic, not both.");
  }
  const credentials = parseBasic(authorization);
  if (credentials === undefined) throw unknownClient("The header Authorization is no HTTP Basic of id and secret.");
  if (fields.client_id !== undefined && fields.client_id !== credentials.clientId) {
    throw invalid("client_id in the body and by HTTP Basic are not the same.");
  }
  return credentials;
}

/** Base64 of id, colon and secret, the two form-urlencoded first (RFC 6749 §2.3.1, RFC 7617). */
function parseBasic(authorization: string): ApiClientCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon === -1) return undefined;
  const clientId = formDecode(pair.slice(0, colon));
  const clientSecret = formDecode(pair.slice(colon + 1));
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function invalid(description: string): TokenRefusal {
  return new TokenRefusal("invalid_request", description);
}

function unknownClient(description: string): TokenRefusal {
  return new TokenRefusal("invalid_client", description);
}

function lacking(names: readonly string[]): TokenRefusal {
  return invalid(`${names.join(" and ")} ${names.length === 1 ? "is" : "are"} required.`);
}
