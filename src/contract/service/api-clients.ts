import * as v from "valibot";
import { Instant, pageFields } from "../shared/fields.ts";
import { name } from "../shared/names.ts";
import { operation } from "../shared/operation.ts";
import { SCOPES } from "../shared/scopes.ts";

/** Live secrets of one client at most: the one that is used and the one that follows it. */
const MOST_LIVE_SECRETS = 2;

/** An API client's id, as its credentials have it. */
const ClientId = v.pipe(
  v.string(),
  v.regex(/^client_[A-Za-z0-9_-]{16}$/, "must be a client id, such as client_J3mXn0PqRs7uVw1y"),
  v.metadata({ examples: ["client_J3mXn0PqRs7uVw1y"] }),
);

/** The id of a secret: the first eight hexadecimal characters of its SHA-256. */
const SecretId = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{8}$/, "must be the id of a secret, such as 9f86d081"),
  v.metadata({ examples: ["9f86d081"] }),
);

/** A scope of a client's tokens. */
const ScopeName = v.picklist(SCOPES);

/** An API client without any secret: `secrets` lists the live ones, oldest first. */
export const ApiClient = v.object({
  client_id: ClientId,
  name: v.string(),
  scopes: v.array(ScopeName),
  created_at: Instant,
  disabled_at: v.nullable(Instant),
  secrets: v.array(v.object({ id: SecretId, created_at: Instant })),
});
export type ApiClient = v.InferOutput<typeof ApiClient>;

/** An API client with the secret that was made for it: null where none was made, and when an answer is replayed. */
export const ApiClientWithSecret = v.object({ ...ApiClient.entries, client_secret: v.nullable(v.string()) });
export type ApiClientWithSecret = v.InferOutput<typeof ApiClientWithSecret>;

const ONLY_ONCE =
  "`client_secret` is in this answer alone: what is kept is its hash. So an answer that is replayed for an " +
  "idempotency key has null there; the secret that nobody got to see is then the newest of `secrets`, to be replaced " +
  "by rotate-api-client with its id in `retire`. ";

export const apiClients = operation({
  name: "apiClients",
  method: "GET",
  path: "/api-clients",
  tag: "API clients",
  summary: "List the API clients of the calling entity",
  description:
    "Newest first, disabled ones too. `secrets` has the live secrets, at most two, oldest first; a secret itself is " +
    "shown when it is made, and never again. A secret's id is the first eight characters of its SHA-256 in " +
    'hexadecimal (`printf %s "$SECRET" | sha256sum`), so that whoever holds a secret can tell which one it is.',
  access: "bearer",
  scope: "read",
  query: v.strictObject(pageFields),
  answer: v.array(ApiClient),
  status: 200,
  writes: false,
  errors: ["invalid_cursor"],
});

export const createApiClient = operation({
  name: "createApiClient",
  method: "POST",
  path: "/create-api-client",
  tag: "API clients",
  summary: "Make an API client of the calling entity",
  description:
    "The new client acts for the caller's entity. `scopes` says what its tokens may be good for: by default all that " +
    "the caller's own client has but `administration`. A scope that the caller's own client does not have is 403 " +
    `\`scope_not_yours\`. ${ONLY_ONCE}` +
    "`name` is for people and need not be unique. An entity has at most 100 clients that are not disabled.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({
    name: name(100),
    scopes: v.optional(v.pipe(v.array(ScopeName), v.minLength(1, "must name at least one scope"))),
  }),
  responseOnly: ["client_id", "client_secret", "created_at", "disabled_at", "secrets"],
  answer: ApiClientWithSecret,
  status: 201,
  writes: true,
  errors: ["scope_not_yours", "api_client_limit"],
});

export const rotateApiClient = operation({
  name: "rotateApiClient",
  method: "POST",
  path: "/rotate-api-client",
  tag: "API clients",
  summary: "Give an API client a new secret, or end one",
  description:
    "Rotates without downtime in three steps: call it with `client_id` alone, and the client has two live secrets; " +
    "let every process use the new one; call it with the old one's id in `retire` and `new_secret: false`. " +
    "`retire` names live secrets (the ids that api-clients lists) that get no more tokens from now on: with " +
    "`new_secret` (default true) they are replaced at once, as for a secret that became known. The tokens that a " +
    "retired secret obtained are refused within one minute. A third live secret is 409 " +
    `\`api_client_secret_limit\`, ending the last one 409 \`last_api_client_secret\`. ${ONLY_ONCE}` +
    "A client may rotate itself. A new secret of a client that has a scope which the caller's own client lacks is " +
    "403 `scope_not_yours`; ending its secrets is not.",
  access: "bearer",
  scope: "administration",
  body: v.pipe(
    v.strictObject({
      client_id: ClientId,
      retire: v.optional(
        v.pipe(v.array(SecretId), v.maxLength(MOST_LIVE_SECRETS, "must name at most two secrets, as a client has")),
      ),
      new_secret: v.optional(v.boolean()),
    }),
    v.check(
      ({ retire = [], new_secret = true }) => new_secret || retire.length > 0,
      "asks for nothing: leave new_secret out, or name secrets in retire",
    ),
  ),
  responseOnly: ["client_secret", "created_at", "disabled_at", "secrets"],
  answer: ApiClientWithSecret,
  status: 200,
  writes: true,
  errors: [
    "api_client_not_found",
    "scope_not_yours",
    "api_client_disabled",
    "api_client_secret_not_found",
    "last_api_client_secret",
    "api_client_secret_limit",
  ],
});

export const disableApiClient = operation({
  name: "disableApiClient",
  method: "POST",
  path: "/disable-api-client",
  tag: "API clients",
  summary: "Disable an API client for good",
  description:
    "It gets no more tokens at once, and those it has are refused within one minute; by the operations on API " +
    "clients at once. There is no way back: make another client instead. Disabling it again answers the first " +
    "`disabled_at`. A client may disable itself, but not where it is the entity's last: that would lock the entity " +
    "out, and is 409 `last_api_client`. Create its successor first.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({ client_id: ClientId }),
  answer: ApiClient,
  status: 200,
  writes: true,
  errors: ["api_client_not_found", "last_api_client"],
});
