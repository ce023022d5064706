/** One host of a database address, as a socket wants it. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** Which state of a server to look for among several hosts, as libpq names them. */
export type TargetSession = (typeof TARGETS)[number];

/** How a connection is encrypted: `verified` also checks that the server is the one it says it is. */
type Encryption = "none" | "preferred" | "required" | "verified";

/** The parts of a database address. */
export interface DatabaseAddress {
  readonly hosts: readonly DatabaseHost[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string;
  readonly targetSession: TargetSession | undefined;
  readonly encryption: Encryption;
  /** TLS from the first byte, without asking for it. */
  readonly isDirectlyEncrypted: boolean;
  /** All other options of the address: settings of the session, by their name. */
  readonly settings: Readonly<Record<string, string>>;
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
  const [, credentials = "", hostList = "", database = "", query = ""] = DATABASE_URL.exec(text) ?? [];
  if (hostList === "") throw new DatabaseUrlError("must have the form postgres://user:password@host:5432/database");
  const [user, ...password] = credentials.split(":");
  const {
    target_session_attrs,
    ssl,
    sslmode = ssl,
    sslnegotiation,
    ...settings
  } = Object.fromEntries(new URLSearchParams(query));
  return {
    hosts: hostList.split(",").map(readHost),
    user: decoded(user ?? "") || undefined,
    password: decoded(password.join(":")) || undefined,
    database: decoded(database),
    targetSession: readTarget(target_session_attrs),
    encryption: readEncryption(sslmode),
    isDirectlyEncrypted: sslnegotiation === "direct",
    settings,
  };
}

/** `require` encrypts and verifies nothing; a mode that nobody knows verifies everything. */
function readEncryption(mode: string | undefined): Encryption {
  if (mode === undefined || mode === "" || mode === "disable" || mode === "false") return "none";
  if (mode === "prefer") return "preferred";
  return mode === "require" || mode === "allow" ? "required" : "verified";
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new DatabaseUrlError("must write special characters of user, password and database as %XX", { cause });
  }
}
