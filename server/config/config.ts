import { readFileSync } from "node:fs";
import { LOCAL_HOST, ReadingError } from "./config-readings.ts";
import { type Field, type FieldValue, VARIABLES, type Variable } from "./config-variables.ts";
import { isOpenHttp, PLAIN_HTTP } from "./upstream-network.ts";

/** The parts that a process runs: everything, or one of the two parts that `DATABASE_URL` joins. */
type Role = "all" | "service" | "broker";

/** The environment as `process.env` has it. */
type Environment = Readonly<Record<string, string | undefined>>;

type Values = { readonly [Name in Field]: FieldValue<Name> | undefined };
type Defaulted = { [Name in Field]: (typeof VARIABLES)[Name] extends { default: string } ? Name : never }[Field];

/** Fields whose default follows from others. */
type Derived = "publicOrigin" | "trustedProxies" | "baseUrl" | "authUrl";

/** The whole configuration of a process, checked and frozen. It holds secrets: never log it whole. */
export type Config = Omit<Values, Defaulted | Derived | "demo"> & {
  readonly [Name in Defaulted | Derived]: FieldValue<Name>;
} & {
  readonly demo: boolean;
};

/** Thrown for a faulty configuration: lists every fault in one message, for the person who started Cupo. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(faults: readonly string[]) {
    const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
    super(`The configuration has ${count}:\n- ${faults.join("\n- ")}`);
  }
}

/** A fault where the first is true, and its sentence. */
type Rule = readonly [boolean, string];

const FIELDS = Object.keys(VARIABLES) as readonly Field[];
/** Secrets that may stand in a file instead. */
const SECRETS_AND_FILES = [
  ["key", "keyFile"],
  ["clientSecret", "clientSecretFile"],
  ["metricsToken", "metricsTokenFile"],
] as const satisfies readonly (readonly [Field, Field])[];
const LONGEST_ECHO = 60;
const LIKELY_MEANT_EDITS = 3;

/** Reads the environment for a role; throws {@link ConfigError} with every fault at once, secrets never repeated. */
export function readConfig(environment: Environment, role: Role): Config {
  const faults: string[] = unknownNames(environment);
  const values = readValues(environment, faults);
  const given = (field: Field): boolean => environment[VARIABLES[field].name] !== undefined;
  const secrets = Object.fromEntries(
    SECRETS_AND_FILES.map(([secret, file]) => [secret, values[secret] ?? readSecretFile(values, secret, file, faults)]),
  ) as Pick<Config, (typeof SECRETS_AND_FILES)[number][0]>;
  faults.push(...faultsTogether(role, given, values));
  if (faults.length > 0) throw new ConfigError(faults);
  const demoByDefault = !given("databaseUrl") && !given("publicOrigin");
  const ownUrl = `http://${reachableHost(values.host)}:${values.servicePort}`;
  return Object.freeze({
    // Fields with a default were read from it, so only those without one can be undefined here.
    ...(values as Values & Pick<Config, Defaulted>),
    ...secrets,
    demo: values.demo === undefined ? demoByDefault : values.demo === "on",
    publicOrigin: values.publicOrigin ?? `http://localhost:${values.port}`,
    trustedProxies: values.trustedProxies ?? Object.freeze([]),
    baseUrl: values.baseUrl ?? ownUrl,
    authUrl: values.authUrl ?? values.baseUrl ?? ownUrl,
  });
}

/** Where a process that listens on `host` is reached from this machine. */
function reachableHost(host = ""): string {
  if (["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** Returns the README's table of every variable, in Markdown. */
export function configurationTable(): string {
  const rows = FIELDS.map((field) => {
    const variable: Variable<unknown> = VARIABLES[field];
    const otherwise = variable.default === undefined ? (variable.defaultMeaning ?? "–") : `\`${variable.default}\``;
    return `| \`${variable.name}\` | ${otherwise} | ${variable.meaning} |`;
  });
  return ["| Variable | Default | Meaning |", "|---|---|---|", ...rows, ""].join("\n");
}

function readValues(environment: Environment, faults: string[]): Values {
  const entries = FIELDS.map((field) => {
    const variable: Variable<unknown> = VARIABLES[field];
    const text = environment[variable.name] ?? variable.default;
    return [field, text === undefined ? undefined : readValue(variable, text, faults)];
  });
  return Object.fromEntries(entries);
}

function readValue({ name, secret = false, read }: Variable<unknown>, text: string, faults: string[]): unknown {
  if (text === "") {
    faults.push(`${name} is empty: give it a value, or remove it.`);
    return undefined;
  }
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    faults.push(`${name} ${error.message}${secret ? "" : `; it is ${JSON.stringify(text.slice(0, LONGEST_ECHO))}`}.`);
    return undefined;
  }
}

function readSecretFile(
  values: Values,
  secret: (typeof SECRETS_AND_FILES)[number][0],
  file: (typeof SECRETS_AND_FILES)[number][1],
  faults: string[],
): unknown {
  const path = values[file];
  if (path === undefined) return undefined;
  const { name } = VARIABLES[file];
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const reason = error instanceof Error ? Reflect.get(error, "code") : error;
    faults.push(
      `${name} names ${path}, which cannot be read (${reason}): allow this user to read it, or name another.`,
    );
    return undefined;
  }
  return readValue({ ...VARIABLES[secret], name: `${name} names ${path}, whose content` }, text, faults);
}

/** Returns the faults between variables, each of which may be right by itself. */
function faultsTogether(role: Role, given: (field: Field) => boolean, values: Values): readonly string[] {
  const embedded = !given("databaseUrl");
  const start = role === "all" ? "npm start" : `npm run ${role}`;
  const rules: readonly Rule[] = [
    [
      embedded && role !== "all",
      `DATABASE_URL is missing: ${start} needs it; only npm start has a database of its own.`,
    ],
    [embedded && given("databaseReadUrl"), "DATABASE_READ_URL needs DATABASE_URL beside it: set that too."],
    [
      !embedded && given("databasePort"),
      "CUPO_DATABASE_PORT is for the embedded database, and DATABASE_URL names another: remove one of them.",
    ],
    ...SECRETS_AND_FILES.map(
      ([secret, file]): Rule => [
        given(secret) && given(file),
        `${VARIABLES[secret].name} and ${VARIABLES[file].name} are both set: remove one of them.`,
      ],
    ),
    [
      !embedded && !given("key") && !given("keyFile"),
      "CUPO_KEY is missing: with DATABASE_URL set it, or CUPO_KEY_FILE, to 32 random bytes (openssl rand -base64 32).",
    ],
    [
      values.demo === "on" && values.publicOrigin !== undefined && !isLocal(values.publicOrigin),
      "CUPO_DEMO is on, and CUPO_PUBLIC_ORIGIN is public: the demo lets in whoever reaches it; remove one of them.",
    ],
    ...upstreamFaults(role, given),
    // Said rather than half done: the lenient reading of another implementation's answers is not built yet.
    [
      values.upstream === "reference",
      "CUPO_UPSTREAM=reference is not available yet: point the broker at a Cupo service, or remove it.",
    ],
    ...openUpstreams(role, values),
    ...samePorts(role, values),
  ];
  return rules.filter(([wrong]) => wrong).map(([, sentence]) => sentence);
}

/** Faults of the upstream variables: a broker apart needs them, and the other roles do not. */
function upstreamFaults(role: Role, given: (field: Field) => boolean): readonly Rule[] {
  const start = `npm run ${role}`;
  const needed = (field: Field): Rule => [
    role === "broker" && !given(field),
    `${VARIABLES[field].name} is missing: ${start} needs it to reach its upstream.`,
  ];
  const idle = (field: Field): Rule => [
    role === "all" && given(field),
    `${VARIABLES[field].name} is for npm run broker; npm start makes what its own parts need: remove it.`,
  ];
  return [
    ...(["baseUrl", "authUrl", "clientId"] as const).map(needed),
    [
      role === "broker" && !given("clientSecret") && !given("clientSecretFile"),
      `CUPO_CLIENT_SECRET or CUPO_CLIENT_SECRET_FILE is missing: ${start} needs one to reach its upstream.`,
    ],
    ...(["upstream", "clientId", "clientSecret", "clientSecretFile"] as const).map(idle),
    [
      role === "broker" && given("entity"),
      "CUPO_ENTITY is for npm start and npm run service; a broker apart acts for its client's entity: remove it.",
    ],
  ];
}

function isLocal(origin: string): boolean {
  return LOCAL_HOST.test(new URL(origin).hostname);
}

/** The broker's secret and tokens, and all that people pay, must not cross a foreign network in the clear. */
function openUpstreams(role: Role, values: Values): readonly Rule[] {
  const { upstreamPrivate = [] } = values;
  return (["baseUrl", "authUrl"] as const).map((field) => {
    const address = values[field];
    const isOpen = role !== "service" && address !== undefined && isOpenHttp(address, upstreamPrivate);
    return [isOpen, `${VARIABLES[field].name} is plain http to another machine: ${PLAIN_HTTP}.`] as const;
  });
}

function samePorts(role: Role, values: Values): readonly Rule[] {
  const pairs = [
    ["port", "servicePort"],
    ["port", "databasePort"],
    ["servicePort", "databasePort"],
  ] as const;
  return pairs.map(([one, other]) => [
    role === "all" && Boolean(values[one]) && values[one] === values[other],
    `${VARIABLES[one].name} and ${VARIABLES[other].name} are both ${values[one]}: give each a port of its own.`,
  ]);
}

/** A mistyped name would otherwise leave a default in force, silently. */
function unknownNames(environment: Environment): string[] {
  const known = FIELDS.map((field) => VARIABLES[field].name as string);
  return Object.keys(environment)
    .filter((name) => name.startsWith("CUPO_") && !known.includes(name))
    .map((name) => {
      const [nearest = ""] = known.toSorted((left, right) => editsBetween(name, left) - editsBetween(name, right));
      const meant = editsBetween(name, nearest) <= LIKELY_MEANT_EDITS ? `did you mean ${nearest}?` : "remove it.";
      return `${name} is no variable of Cupo: ${meant}`;
    });
}

/** Levenshtein's distance: how many letters to add, remove or change. */
function editsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...right].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
