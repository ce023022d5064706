import {
  readAddressRanges,
  readBaseUrl,
  readCity,
  readCounterpartyLimit,
  readCurrency,
  readDatabaseUrl,
  readEntity,
  readFolder,
  readHost,
  readKey,
  readOneOf,
  readOrigin,
  readPort,
  readQrGuid,
  readRateLimit,
  readText,
  readThreads,
  readTimeZone,
  readToken,
  readTrustedProxies,
} from "./config-readings.ts";

/** One environment variable: all that parsing, defaults and the README's table need to know of it. */
export interface Variable<T> {
  readonly name: string;
  readonly default?: string;
  /** Said in the README where the default is no fixed text. */
  readonly defaultMeaning?: string;
  readonly meaning: string;
  /** Its value never appears in a message. */
  readonly secret?: boolean;
  readonly read: (text: string) => T;
}

/** Every environment variable that Cupo reads, under the name of its field in the configuration. */
export const VARIABLES = Object.freeze({
  port: {
    name: "CUPO_PORT",
    default: "4000",
    meaning: "port of the PWA, the broker, the widgets and the demo",
    read: readPort,
  },
  servicePort: { name: "CUPO_SERVICE_PORT", default: "4100", meaning: "port of the service", read: readPort },
  host: { name: "CUPO_HOST", default: "127.0.0.1", meaning: "address to listen on", read: readHost },
  dataDir: {
    name: "CUPO_DATA_DIR",
    default: "./data",
    meaning: "folder of the embedded database, its key and `demo.json`",
    read: readFolder,
  },
  databasePort: {
    name: "CUPO_DATABASE_PORT",
    defaultMeaning: "chosen once, kept",
    meaning: "port of the embedded database",
    read: readPort,
  },
  databaseUrl: {
    name: "DATABASE_URL",
    defaultMeaning: "embedded database",
    meaning: "PostgreSQL 14 or later, without a pooler; several hosts with `target_session_attrs=read-write`",
    secret: true,
    read: readDatabaseUrl,
  },
  entity: {
    name: "CUPO_ENTITY",
    defaultMeaning: "`Cupo` with the embedded database; else asked for at the first start",
    meaning: "name (or id) of the fintech that this installation acts for; kept with the data at the first start",
    read: readEntity,
  },
  databaseReadUrl: {
    name: "DATABASE_READ_URL",
    defaultMeaning: "`DATABASE_URL`",
    meaning: "replica for statistics and closed reports",
    secret: true,
    read: readDatabaseUrl,
  },
  publicOrigin: {
    name: "CUPO_PUBLIC_ORIGIN",
    defaultMeaning: "`http://localhost:` and the port",
    meaning: "origin that browsers see; https unless it is this machine",
    read: readOrigin,
  },
  trustedProxies: {
    name: "CUPO_TRUSTED_PROXIES",
    defaultMeaning: "none",
    meaning: "addresses and ranges whose `X-Forwarded-For` is believed, separated by commas",
    read: readTrustedProxies,
  },
  webhookPrivate: {
    name: "CUPO_WEBHOOK_PRIVATE",
    defaultMeaning: "none",
    meaning: "addresses and ranges of private networks that webhooks may reach, also over http, separated by commas",
    read: readAddressRanges,
  },
  upstreamPrivate: {
    name: "CUPO_UPSTREAM_PRIVATE",
    defaultMeaning: "none",
    meaning:
      "addresses and ranges of private networks in which `CUPO_BASE_URL` and `CUPO_AUTH_URL` of the broker may be " +
      "plain http, separated by commas",
    read: readAddressRanges,
  },
  key: {
    name: "CUPO_KEY",
    defaultMeaning: "embedded: `key` in the data folder",
    meaning: "32 bytes, base64 or hexadecimal, that seal the private keys in the database",
    secret: true,
    read: readKey,
  },
  keyFile: { name: "CUPO_KEY_FILE", meaning: "file with that key, instead of `CUPO_KEY`", read: readFolder },
  metricsToken: {
    name: "CUPO_METRICS_TOKEN",
    defaultMeaning: "none: no `/metrics`",
    meaning: "16 characters or more that read `/metrics` of each port, sent as `Authorization: Bearer`",
    secret: true,
    read: readToken,
  },
  metricsTokenFile: {
    name: "CUPO_METRICS_TOKEN_FILE",
    meaning: "file with that token, instead of `CUPO_METRICS_TOKEN`",
    read: readFolder,
  },
  demo: {
    name: "CUPO_DEMO",
    defaultMeaning: "on with the embedded database and no `CUPO_PUBLIC_ORIGIN`",
    meaning:
      "demo people and the demo shop, for this machine only: on or off; turned off, all that it made is disabled",
    read: readOneOf("on", "off"),
  },
  currency: {
    name: "CUPO_CURRENCY",
    default: "COP",
    meaning: "the one currency; kept with the data at the first start, and never changed",
    read: readCurrency,
  },
  timeZone: {
    name: "CUPO_TIME_ZONE",
    default: "America/Bogota",
    meaning: "business time zone: month ends and due dates; kept with the data like the currency",
    read: readTimeZone,
  },
  city: { name: "CUPO_CITY", default: "Bogota", meaning: "city in payment QRs of users without one", read: readCity },
  qrGuid: { name: "CUPO_QR_GUID", default: "co.qp", meaning: "scheme identifier in payment QRs", read: readQrGuid },
  counterpartyLimit: {
    name: "CUPO_COUNTERPARTY_LIMIT",
    default: "100000000",
    meaning: "what one financial entity may come to owe another that set no limit for it, in whole currency units",
    read: readCounterpartyLimit,
  },
  rateLimit: {
    name: "CUPO_RATE_LIMIT",
    default: "1200000",
    meaning:
      "requests a minute that each API client, the broker included, may make of one process of the service; those of " +
      "one entity together four times as many",
    read: readRateLimit,
  },
  httpThreads: {
    name: "CUPO_HTTP_THREADS",
    defaultMeaning: "processors less 2, at most 4, and 1 of 2 without a broker; 0 but on Linux",
    meaning:
      "threads that serve the service's HTTP beside the one that posts, each with some 60 MB and a few connections; " +
      "0: one thread does all",
    read: readThreads,
  },
  foreignLookUps: {
    name: "CUPO_FOREIGN_LOOK_UPS",
    default: "600",
    meaning:
      "look-ups a minute of users that it did not create that each entity, the broker's included, may make of one " +
      "process of the service; one by nit or phone counts as ten",
    read: readRateLimit,
  },
  logLevel: {
    name: "CUPO_LOG_LEVEL",
    default: "info",
    meaning: "trace, debug, info, warn, error, fatal or silent",
    read: readOneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  upstream: {
    name: "CUPO_UPSTREAM",
    default: "cupo",
    meaning: "broker apart: what it talks to; only `cupo` so far",
    read: readOneOf("cupo", "reference"),
  },
  baseUrl: {
    name: "CUPO_BASE_URL",
    defaultMeaning: "`http://localhost:` and the service's port",
    meaning: "`{base_url}`: the service as its clients reach it; broker apart: its upstream",
    read: readBaseUrl,
  },
  authUrl: {
    name: "CUPO_AUTH_URL",
    defaultMeaning: "`CUPO_BASE_URL`",
    meaning: "`{auth_url}`: where its clients get tokens",
    read: readBaseUrl,
  },
  clientId: { name: "CUPO_CLIENT_ID", meaning: "broker apart: its client id", read: readText },
  clientSecret: {
    name: "CUPO_CLIENT_SECRET",
    meaning: "broker apart: its client secret",
    secret: true,
    read: readText,
  },
  clientSecretFile: {
    name: "CUPO_CLIENT_SECRET_FILE",
    meaning: "file with that secret, instead of `CUPO_CLIENT_SECRET`",
    read: readFolder,
  },
} satisfies Record<string, Variable<unknown>>);

/** The name of a variable's field in the configuration, such as `servicePort`. */
export type Field = keyof typeof VARIABLES;

/** The type of a field's value: the text of its variable is read into it. */
export type FieldValue<Name extends Field> = ReturnType<(typeof VARIABLES)[Name]["read"]>;
