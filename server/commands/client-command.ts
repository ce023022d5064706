import type { ErrorCode } from "../../src/contract/shared/errors.ts";
import { formatScopes, ORDINARY_SCOPES, parseScopes, SCOPES, type Scope } from "../../src/contract/shared/scopes.ts";
import type { Tx } from "../database/connect.ts";
import type { Refusal } from "../ledger/model/command.ts";
import { type Entity, findEntities, isEntityId, readOwnEntity } from "../runtime/own-entity.ts";
import { apiClientAnswer } from "../service/api-clients/api-client-answer.ts";
import { createApiClient, createEntity } from "../service/api-clients/api-clients.ts";
import { disableApiClient, type EntityApiClient, rotateApiClient } from "../service/api-clients/change-api-client.ts";
import { type ApiClientRecord, readApiClients } from "../service/api-clients/read-api-clients.ts";
import { recordAccess } from "../service/shared/record-access.ts";
import { checkName } from "./option-faults.ts";
import {
  COMMAND_LINE,
  type CommandContext,
  CommandError,
  type CommandOutput,
  instantText,
  type Job,
  plainText,
  planVerbs,
  readArguments,
  type TerminalCommand,
  tableText,
  UsageError,
} from "./terminal-command.ts";

const USAGE = `Usage: npm run client -- COMMAND

  list [--entity NAME|ID]                 API clients of every entity, or of one
  create [--entity NAME|ID] [--name NAME] a new API client of this installation's entity, or of another, which is made
                                          where none has that name
         [--scope "SCOPE …"]              what its tokens may do, instead of ${formatScopes(ORDINARY_SCOPES)};
                                          there is ${SCOPES.slice(ORDINARY_SCOPES.length).join()} besides
  rotate CLIENT_ID                        a second secret beside the first
  rotate CLIENT_ID --retire SECRET_ID     a new secret instead of that one, which ends at once
  rotate CLIENT_ID --retire SECRET_ID --no-new-secret   ends that one and makes none
  disable CLIENT_ID                       refuses its tokens within one minute, for good

  --json   what was done as one JSON document, secret included`;

const DEFAULT_NAME = "default";

const noEntity = (wanted: string): CommandError =>
  new CommandError(`There is no entity ${plainText(wanted)}: npm run client -- list shows those there are.`);

async function ownEntity(tx: Tx): Promise<Entity> {
  const own = await readOwnEntity(tx);
  if (own !== undefined) return own;
  throw new CommandError("This installation has no entity of its own yet (CUPO_ENTITY): say --entity NAME.");
}

/** Finds the entity of that name or id, or this installation's own; creates one for a name that none has yet. */
async function entityFor(
  tx: Tx,
  wanted: string | undefined,
  { clock, newId }: CommandContext,
): Promise<Entity & { isNew: boolean }> {
  if (wanted === undefined) return { ...(await ownEntity(tx)), isNew: false };
  // The lock makes two commands with the same new name create one entity.
  await tx`lock table service.entities in share row exclusive mode`;
  const [entity, ...others] = await findEntities(tx, wanted);
  if (others.length > 0) throw new CommandError(`Several entities have the name ${plainText(wanted)}: say the id.`);
  if (entity !== undefined) return { ...entity, isNew: false };
  if (isEntityId(wanted)) throw noEntity(wanted);
  const made = { id: newId(), name: wanted };
  await createEntity(tx, { ...made, now: clock() });
  return { ...made, isNew: true };
}

async function ownClient(tx: Tx, clientId: string): Promise<EntityApiClient> {
  const [found] = await tx<{ entityId: string }[]>`
    select entity_id as "entityId" from service.api_clients where id = ${clientId}`;
  if (found !== undefined) return { ...found, clientId };
  throw new CommandError(
    `There is no API client ${plainText(clientId)}: npm run client -- list shows those there are.`,
  );
}

/** Terminal hints for refusals that mention a request's `retire`. */
const AT_THE_TERMINAL: Readonly<Partial<Record<ErrorCode, string>>> = {
  api_client_secret_limit: "Here that is --retire SECRET_ID.",
  api_client_secret_not_found: "Here that is --retire SECRET_ID, and npm run client -- list shows the ids.",
};

function orThrow<T extends object>(result: T | Refusal): T {
  if (!("code" in result && "detail" in result)) return result as T;
  const { code, detail } = result as Refusal;
  throw new CommandError([detail, AT_THE_TERMINAL[code] ?? ""].join(" ").trimEnd());
}

/** Returns a warning where the disabled client was its entity's last. */
async function noClientLeft(tx: Tx, { entityId }: EntityApiClient): Promise<string | undefined> {
  const [entity] = await tx<{ name: string }[]>`
    select name from service.entities where id = ${entityId} and not exists (
      select from service.api_clients where entity_id = ${entityId} and disabled_at is null)`;
  if (entity === undefined) return undefined;
  const command = `npm run client -- create --entity ${entityId}`;
  return `${plainText(entity.name)} has no client left and can do nothing here until one is made:\n  ${command}`;
}

async function record(tx: Tx, action: string, clientId: string, now: Date): Promise<void> {
  const done = { madeBy: COMMAND_LINE, requestId: null, action, subject: clientId, outcome: "done" };
  await recordAccess(tx, done, now);
}

/** Explains how a client that has the scope requests an administration token. */
function administrationText(scopes: readonly Scope[]): string[] {
  if (!scopes.includes("administration")) return [];
  return ["", "Administration is asked for by name, for five minutes at a time: -d scope=administration"];
}

/** Shows the credentials and how to get a token: the secret is typed, so that no shell history keeps it. */
function credentialsText(
  { clientId, scopes }: Pick<ApiClientRecord, "clientId" | "scopes">,
  clientSecret: string,
  authUrl: string,
): string {
  return [
    `client_id      ${clientId}`,
    `client_secret  ${clientSecret}`,
    `scope          ${formatScopes(scopes)}`,
    "",
    "Keep the secret now: it is not shown again. A token, for which curl asks you for the secret:",
    "",
    `  curl ${authUrl}/oauth2/token -u ${clientId} -d grant_type=client_credentials`,
    ...administrationText(scopes),
  ].join("\n");
}

function secretsText({ secrets }: ApiClientRecord): string {
  return secrets.map(({ id, createdAt }) => `${id} (${instantText(createdAt)})`).join(", ") || "–";
}

/** Explains how to finish a rotation while an older secret is still live. */
function nextStep({ clientId, secrets: [old, ...newer] }: ApiClientRecord): string[] {
  if (old === undefined || newer.length === 0) return [];
  const command = `npm run client -- rotate ${clientId} --retire ${old.id} --no-new-secret`;
  return ["When everything uses the new one:", `  ${command}`];
}

/** Warns at creation, not at the first failed payment, that users of another entity cannot use the app here. */
function foreignText(own: Entity | undefined, { id }: Entity): string[] {
  if (own === undefined || own.id === id) return [];
  return [`The app of this installation acts for ${plainText(own.name)}: users of this entity are not let in to it.`];
}

function create(wanted: string | undefined, name: string, scopes: readonly Scope[]): Job {
  return (services) =>
    services.sql.begin(async (tx): Promise<CommandOutput> => {
      const now = services.clock();
      const entity = await entityFor(tx, wanted, services);
      const making = { now, randomBytes: services.random };
      const { clientId, clientSecret } = await createApiClient(tx, { entityId: entity.id, name, scopes }, making);
      await record(tx, "createApiClient", clientId, now);
      const foreign = foreignText(await readOwnEntity(tx), entity);
      const made = `${entity.isNew ? "New entity" : "Entity"}: ${plainText(entity.name)} (${entity.id})`;
      const credentials = { client_id: clientId, client_secret: clientSecret, scopes };
      const data = { entity_id: entity.id, entity_name: entity.name, ...credentials };
      const text = [made, ...foreign, credentialsText({ clientId, scopes }, clientSecret, services.authUrl)].join(
        "\n\n",
      );
      return { text, data };
    });
}

function rotate(clientId: string, retire: readonly string[], newSecret: boolean): Job {
  return ({ sql, clock, random: randomBytes, authUrl }) =>
    sql.begin(async (tx): Promise<CommandOutput> => {
      const now = clock();
      const own = await ownClient(tx, clientId);
      const rotation = { retire, newSecret };
      const { client, clientSecret } = orThrow(await rotateApiClient(tx, own, rotation, { now, randomBytes }));
      await record(tx, "rotateApiClient", clientId, now);
      const data = { ...apiClientAnswer(client), client_secret: clientSecret };
      const live = `Live secrets, oldest first: ${secretsText(client)}`;
      if (clientSecret === null) return { text: live, data };
      const text = [credentialsText(client, clientSecret, authUrl), live, ...nextStep(client)].join("\n\n");
      return { text, data };
    });
}

function disable(clientId: string): Job {
  return ({ sql, clock }) =>
    sql.begin(async (tx): Promise<CommandOutput> => {
      const now = clock();
      const own = await ownClient(tx, clientId);
      const client = orThrow(await disableApiClient(tx, own, now));
      await record(tx, "disableApiClient", clientId, now);
      const since = instantText(client.disabledAt ?? now);
      const done = `Disabled since ${since}: its tokens are refused within one minute.`;
      const warning = await noClientLeft(tx, own);
      return { text: warning === undefined ? done : `${done}\n\n${warning}`, data: apiClientAnswer(client) };
    });
}

function list(wanted: string | undefined): Job {
  return async ({ sql }) => {
    const entities = await findEntities(sql, wanted);
    if (wanted !== undefined && entities.length === 0) throw noEntity(wanted);
    const parts: string[] = [];
    const data: unknown[] = [];
    for (const { id, name } of entities) {
      const clients = await readApiClients(sql, { entityId: id });
      const rows = clients.map((client) => [
        client.clientId,
        client.name,
        instantText(client.createdAt),
        client.disabledAt === null ? "live" : `disabled ${instantText(client.disabledAt)}`,
        formatScopes(client.scopes),
        secretsText(client),
      ]);
      const head = ["  client", "name", "made", "state", "scope", "live secrets"];
      parts.push(
        `${plainText(name)} (${id})\n${tableText([head, ...rows.map(([first, ...rest]) => [`  ${first}`, ...rest])])}`,
      );
      data.push({ entity_id: id, entity_name: name, clients: clients.map(apiClientAnswer) });
    }
    return { text: parts.join("\n\n") || "There is no entity yet.", data };
  };
}

/** Reads the scopes of an option; default: all but administration. */
function scopesOf(text: string | undefined): readonly Scope[] {
  if (text === undefined) return ORDINARY_SCOPES;
  const named = parseScopes(text);
  if (named !== undefined && named.length > 0) return named;
  throw new UsageError(`--scope takes some of ${formatScopes(SCOPES)}, separated by spaces, in quotes.`);
}

/** `npm run client`: makes, rotates, disables and lists the API clients of every entity. */
export const clientCommand: TerminalCommand = {
  usage: USAGE,
  plan: planVerbs({
    create(args) {
      const text = { type: "string" } as const;
      const { values } = readArguments(args, { entity: text, name: text, scope: text }, []);
      const { entity, name = DEFAULT_NAME, scope } = values;
      checkName("name", name);
      if (entity !== undefined) checkName("entity", entity);
      return create(entity, name, scopesOf(scope));
    },
    rotate(args) {
      const options = { retire: { type: "string", multiple: true }, "no-new-secret": { type: "boolean" } } as const;
      const { values, positionals } = readArguments(args, options, ["client id"]);
      const { retire = [], "no-new-secret": none = false } = values;
      if (none && retire.length === 0)
        throw new UsageError("--no-new-secret needs a secret to end: --retire SECRET_ID.");
      return rotate(positionals[0] ?? "", retire, !none);
    },
    disable(args) {
      const { positionals } = readArguments(args, {}, ["client id"]);
      return disable(positionals[0] ?? "");
    },
    list(args) {
      const { values } = readArguments(args, { entity: { type: "string" } }, []);
      return list(values.entity);
    },
  }),
};
