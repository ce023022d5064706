import { HttpCaller } from "./http-caller.ts";

/** The output of `npm run client -- create --json`. */
export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

async function requestToken(authUrl: string, { client_id, client_secret }: Credentials, scope?: string) {
  const response = await fetch(`${authUrl}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }),
  });
  const answer = (await response.json()) as { readonly access_token?: string };
  return response.ok ? answer.access_token : undefined;
}

/** A client of the same entity that may have administration; the same client unless one is given. */
type Administrator = () => Promise<Credentials>;

/** Every scope that a token can have. */
export const EVERY_SCOPE = "read pay users quota administration";

/** An API client of an entity, which calls the service with its token. */
export class EntityCaller extends HttpCaller {
  readonly credentials: Credentials;
  readonly token: string;
  readonly #authUrl: string;
  readonly #administrator: Administrator;

  private constructor(authUrl: string, credentials: Credentials, token: string, administrator?: Administrator) {
    super(authUrl, () => ({ authorization: `Bearer ${token}` }));
    this.#authUrl = authUrl;
    this.#administrator = administrator ?? (async () => credentials);
    this.credentials = credentials;
    this.token = token;
  }

  /** Makes a caller with a token, of the scope if one is given and this version knows it. */
  static async of(
    authUrl: string,
    credentials: Credentials,
    scope?: string,
    administrator?: Administrator,
  ): Promise<EntityCaller> {
    const scoped = scope === undefined ? undefined : await requestToken(authUrl, credentials, scope);
    const token = scoped ?? (await requestToken(authUrl, credentials));
    if (token === undefined) throw new Error(`${credentials.client_id} gets no token`);
    return new EntityCaller(authUrl, credentials, token, administrator);
  }

  /** A client of the same entity with a token for everything; on a version without scopes every token is one. */
  async asAdministrator(): Promise<EntityCaller> {
    return EntityCaller.of(this.#authUrl, await this.#administrator(), EVERY_SCOPE);
  }

  /** Makes a user of this entity, with phone and nit of its own, and answers its id. */
  async aUser(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const number = drawNumber();
    const user = { name: `User ${number}`, nit: number, phone: `3${number}`, ...fields };
    const { status, body } = await this.post("/create-user", user);
    if (status !== 201) throw new Error(`no user: ${status} ${JSON.stringify(body)}`);
    return body.id;
  }

  /** The spendable quota of a user of this entity. */
  async available(id: string): Promise<number> {
    return (await this.get("/user", { id })).body.quota_available;
  }
}

let drawn = Math.floor(Math.random() * 1e8);

/** Nine digits that no other user of this run has. */
function drawNumber(): string {
  drawn = (drawn + 1) % 1e8;
  return `1${String(drawn).padStart(8, "0")}`;
}
