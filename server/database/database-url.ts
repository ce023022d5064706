/** One host of a database address, as a socket wants it. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** Which state of a server to look for among several hosts, as libpq names them. */
export type TargetSession = (typeof TARGETS)[number];

/** The parts of a database address that we look at ourselves. */
export interface DatabaseAddress {
  readonly hosts: readonly DatabaseHost[];
  readonly targetSession: TargetSession | undefined;
  /** The same address with one host alone and no target, for the driver to read. */
  readonly urlOf: (host: DatabaseHost) => string;
}

const DATABASE_URL = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/;
const HOST = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/;
const TARGETS = ["read-write", "read-only", "primary", "standby", "prefer-standby"] as const;
const DEFAULT_PORT = 5432;
const MAX_PORT = 65_535;

/** Says what is wrong with a database address, without repeating any part of it: it holds a password. */
export class DatabaseUrlError extends Error {
  override readonly name = "DatabaseUrlError";
}

/**
 * Reads `postgres://user:password@host[:port][,host[:port]…]/database[?options]`, which may name several hosts and so
 * is no URL to the platform. Throws {@link DatabaseUrlError}.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [, credentials, hostList = "", database = "", query = ""] = DATABASE_URL.exec(text) ?? [];
  if (hostList === "") throw new DatabaseUrlError("must have the form postgres://user:password@host:5432/database");
  for (const part of [credentials ?? "", database]) assertDecodable(part);
  const options = new URLSearchParams(query);
  const targetSession = readTarget(options.get("target_session_attrs") ?? undefined);
  options.delete("target_session_attrs");
  const login = credentials === undefined ? "" : `${credentials}@`;
  return {
    hosts: hostList.split(",").map(readHost),
    targetSession,
    urlOf: ({ host, port }) =>
      `postgres://${login}${host.includes(":") ? `[${host}]` : host}:${port}/${database}?${options}`,
  };
}

function readTarget(text: string | undefined): TargetSession | undefined {
  const target = TARGETS.find((name) => name === text);
  if (text === undefined || target !== undefined) return target;
  throw new DatabaseUrlError(`must have a target_session_attrs among ${TARGETS.join(", ")}`);
}

function readHost(text: string): DatabaseHost {
  const [, host = "", port = String(DEFAULT_PORT)] = HOST.exec(text) ?? [];
  if (host === "") throw new DatabaseUrlError("must name its hosts as host or host:port, separated by commas");
  const number = Number(port);
  if (number < 1 || number > MAX_PORT) throw new DatabaseUrlError("must have ports from 1 to 65535");
  return { host: host.replace(/^\[|\]$/g, ""), port: number };
}

function assertDecodable(text: string): void {
  try {
    decodeURIComponent(text);
  } catch (cause) {
    throw new DatabaseUrlError("must write special characters of user, password and database as %XX", { cause });
  }
}
