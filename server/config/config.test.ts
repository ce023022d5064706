import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError, configurationTable, readConfig } from "./config.ts";
import { VARIABLES } from "./config-variables.ts";

const KEY = randomBytes(32);
const OWN_DATABASE = { DATABASE_URL: "postgres://ana:hidden@db/cupo", CUPO_KEY: KEY.toString("base64url") };
const BROKER = {
  ...OWN_DATABASE,
  CUPO_BASE_URL: "https://api.example.com/v1/",
  CUPO_AUTH_URL: "https://auth.example.com",
  CUPO_CLIENT_ID: "an id",
  CUPO_CLIENT_SECRET: "hidden too",
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-config-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function aFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function faultsOf(environment: Record<string, string>, role: "all" | "service" | "broker" = "all"): readonly string[] {
  try {
    readConfig(environment, role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n- ").slice(1);
  }
  return [];
}

describe("the configuration", () => {
  it("needs nothing: npm start alone has a database, a demo and every default", () => {
    const config = readConfig({ PATH: "/usr/bin" }, "all");
    expect(config).toMatchObject({
      port: 4000,
      servicePort: 4100,
      host: "127.0.0.1",
      dataDir: resolve("data"),
      publicOrigin: "http://localhost:4000",
      baseUrl: "http://localhost:4100",
      authUrl: "http://localhost:4100",
      trustedProxies: [],
      demo: true,
      currency: { code: "COP", numeric: "170", digits: 2 },
      timeZone: "America/Bogota",
      city: "Bogota",
      qrGuid: "co.qp",
      rateLimit: 1_200_000,
      foreignLookUps: 600,
      logLevel: "info",
      upstream: "cupo",
    });
    expect([config.databaseUrl, config.databasePort, config.key, config.clientSecret]).toEqual(
      Array(4).fill(undefined),
    );
    expect(Object.isFrozen(config)).toBe(true);
  });

  it("follows the ports and the host that are set", () => {
    const config = readConfig({ CUPO_PORT: "5000", CUPO_SERVICE_PORT: "5100", CUPO_HOST: "10.0.0.7" }, "all");
    expect(config).toMatchObject({
      port: 5000,
      publicOrigin: "http://localhost:5000",
      baseUrl: "http://10.0.0.7:5100",
    });
    expect(readConfig({ CUPO_HOST: "::" }, "all").baseUrl).toBe("http://localhost:4100");
    expect(readConfig({ CUPO_BASE_URL: "https://api.example.com/" }, "all").authUrl).toBe("https://api.example.com");
  });

  it("has the demo on only where nobody else can be: embedded database, no public origin, or when asked for", () => {
    expect(readConfig({ CUPO_PUBLIC_ORIGIN: "https://pay.example.com" }, "all").demo).toBe(false);
    expect(readConfig(OWN_DATABASE, "all").demo).toBe(false);
    expect(readConfig({ ...OWN_DATABASE, CUPO_DEMO: "on" }, "all").demo).toBe(true);
    expect(readConfig({ CUPO_DEMO: "off" }, "all").demo).toBe(false);
  });

  it("never has the demo on behind a public origin", () => {
    const atHome = { CUPO_DEMO: "on", CUPO_PUBLIC_ORIGIN: "http://localhost:4000" };
    expect(faultsOf(atHome)).toEqual([]);
    expect(faultsOf({ ...atHome, CUPO_PUBLIC_ORIGIN: "https://pay.example.com" })).toEqual([
      "CUPO_DEMO is on, and CUPO_PUBLIC_ORIGIN is public: the demo lets in whoever reaches it; remove one of them.",
    ]);
  });

  it.each(["hex", "base64", "base64url"] as const)(
    "takes a key of 32 bytes as %s, from a variable or a file",
    (form) => {
      const text = KEY.toString(form);
      expect(readConfig({ ...OWN_DATABASE, CUPO_KEY: text }, "service").key).toEqual(KEY);
      const { DATABASE_URL } = OWN_DATABASE;
      expect(readConfig({ DATABASE_URL, CUPO_KEY_FILE: aFile("key", `${text}\n`) }, "all").key).toEqual(KEY);
    },
  );

  it("gives the broker apart its upstream, the secret from a variable or a file", () => {
    expect(readConfig(BROKER, "broker")).toMatchObject({
      baseUrl: "https://api.example.com/v1",
      authUrl: "https://auth.example.com",
      clientId: "an id",
      clientSecret: "hidden too",
    });
    const { CUPO_CLIENT_SECRET, ...rest } = BROKER;
    const CUPO_CLIENT_SECRET_FILE = aFile("secret", `${CUPO_CLIENT_SECRET}\n`);
    expect(readConfig({ ...rest, CUPO_CLIENT_SECRET_FILE }, "broker").clientSecret).toBe("hidden too");
  });
});

describe("a fault in the configuration", () => {
  it("is told together with every other, each with the variable and what to do", () => {
    const environment = { CUPO_PORT: "70000", CUPO_CITY: "Bogotá", CUPO_PROT: "1", CUPO_HOST: "" };
    expect(() => readConfig(environment, "service")).toThrow(
      [
        "The configuration has 5 faults:",
        "- CUPO_PROT is no variable of Cupo: did you mean CUPO_PORT?",
        '- CUPO_PORT must be a port from 1 to 65535; it is "70000".',
        "- CUPO_HOST is empty: give it a value, or remove it.",
        '- CUPO_CITY must be 1 to 15 characters without accents (EMVCo tag 60); it is "Bogotá".',
        "- DATABASE_URL is missing: npm run service needs it; only npm start has a database of its own.",
      ].join("\n"),
    );
  });

  it("never repeats a secret", () => {
    const secret = "hush-hush-0123456789";
    const environment = {
      DATABASE_URL: `mysql://ana:${secret}@db/cupo`,
      DATABASE_READ_URL: `postgres://ana:${secret}@a,b/cupo`,
      CUPO_KEY: secret,
      CUPO_KEY_FILE: aFile("bad-key", secret),
      CUPO_CLIENT_SECRET: secret,
      CUPO_CLIENT_SECRET_FILE: aFile("empty", "\n"),
    };
    const faults = faultsOf(environment, "broker");
    expect(faults.join("\n")).not.toContain("hush");
    for (const name of Object.keys(environment)) expect(faults.join("\n")).toContain(`${name} `);
  });

  it.each([
    ["CUPO_PORT", ["-1", "0", "04000", "65536", "4000.5", "0x10", " 4000", "port"]],
    ["CUPO_SERVICE_PORT", ["0"]],
    ["CUPO_DATABASE_PORT", ["0", "65536"]],
    ["CUPO_HOST", ["http://localhost", "a b", "-a"]],
    [
      "CUPO_PUBLIC_ORIGIN",
      ["http://pay.example.com", "https://pay.example.com/", "pay.example.com", "https://a.b/c", "ftp://a"],
    ],
    ["CUPO_TRUSTED_PROXIES", ["proxy", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.1,,", "::1/129", "10.0.0.0/"]],
    ["CUPO_TRUSTED_PROXIES", ["0.0.0.0/0", "::/0", "10.0.0.1,0.0.0.0/0", "::/00"]],
    ["CUPO_WEBHOOK_PRIVATE", ["on", "10.0.0.0/33", "internal"]],
    ["CUPO_UPSTREAM_PRIVATE", ["on", "10.0.0.0/33", "internal"]],
    ["CUPO_KEY", ["short", "0".repeat(64), "a".repeat(63), randomBytes(33).toString("base64")]],
    ["CUPO_ENTITY", [" Fintech", "a\nb", "x".repeat(201), "F\u0456ntech", "\u200bA"]],
    ["CUPO_METRICS_TOKEN", ["short", "with spaces in the middle", "ñandú-ñandú-ñandú"]],
    ["CUPO_DEMO", ["true", "ON", "1"]],
    ["CUPO_CURRENCY", ["cop", "QQQ", "170"]],
    ["CUPO_TIME_ZONE", ["Bogota", "+05:00", "America/Atlantis"]],
    ["CUPO_CITY", ["Santiago de Cali", " Cali", "Cali\n"]],
    ["CUPO_QR_GUID", ["co.cupo", "c q", "ñ"]],
    ["CUPO_COUNTERPARTY_LIMIT", ["-1", "1.5", "1e3", "01", "10000000000000"]],
    ["CUPO_RATE_LIMIT", ["0", "-1", "1.5", "1e3", "1000000000"]],
    ["CUPO_FOREIGN_LOOK_UPS", ["0", "none"]],
    ["CUPO_LOG_LEVEL", ["verbose", "INFO"]],
    [
      "CUPO_BASE_URL",
      ["api.example.com", "ftp://api.example.com", "https://ana:x@api.example.com", "https://a.b/?q=1"],
    ],
    ["CUPO_KEY_FILE", ["/no/such/file", "/"]],
  ])("is found in %s", (name, texts) => {
    for (const text of texts) {
      const faults = faultsOf({ [name]: text });
      expect(faults, text).toHaveLength(1);
      expect(faults[0]).toMatch(new RegExp(`^${name} `));
    }
  });

  it.each([
    [
      "CUPO_PUBLIC_ORIGIN",
      ["https://pay.example.com", "https://pay.example.com:8443", "http://localhost:4000", "http://[::1]"],
    ],
    ["CUPO_TRUSTED_PROXIES", ["10.0.0.1", "10.0.0.0/8, fd00::/8,::1"]],
    ["CUPO_WEBHOOK_PRIVATE", ["10.0.0.0/8", "127.0.0.1, ::1"]],
    ["CUPO_UPSTREAM_PRIVATE", ["10.0.0.0/8", "127.0.0.1, ::1"]],
    ["CUPO_HOST", ["0.0.0.0", "::", "pay.example.com"]],
    ["CUPO_TIME_ZONE", ["UTC", "America/Mexico_City"]],
    ["CUPO_CURRENCY", ["USD", "CLP"]],
    ["CUPO_CITY", ["Cali", "San Jose"]],
  ])("is not found in a good %s", (name, texts) => {
    for (const text of texts) expect(faultsOf({ [name]: text }), text).toEqual([]);
  });
});

describe("variables that do not go together", () => {
  it("wants https before another machine's service, or its network named", () => {
    const urls = { CUPO_BASE_URL: "http://10.0.0.5:4100", CUPO_AUTH_URL: "http://service:4100" };
    const faults = ["CUPO_BASE_URL", "CUPO_AUTH_URL"].map((name) => `${name} is plain http to another machine: use`);
    const open = faultsOf({ ...BROKER, ...urls }, "broker");
    expect(open).toEqual(faults.map((fault) => expect.stringContaining(fault)));
    expect(faultsOf({ ...BROKER, ...urls, CUPO_UPSTREAM_PRIVATE: "192.168.0.0/16" }, "broker")).toHaveLength(1);
    const allowed = { ...BROKER, ...urls, CUPO_UPSTREAM_PRIVATE: "10.0.0.0/8" };
    expect(readConfig(allowed, "broker").baseUrl).toBe(urls.CUPO_BASE_URL);
  });

  it.each(["service", "broker"] as const)("npm run %s needs a database that others reach too", (role) => {
    expect(faultsOf({}, role)[0]).toMatch(/^DATABASE_URL is missing: npm run/);
  });

  it("a database of one's own needs a key, given once, and no port of the embedded one", () => {
    const { DATABASE_URL, CUPO_KEY } = OWN_DATABASE;
    for (const role of ["all", "service"] as const) {
      expect(faultsOf({ DATABASE_URL }, role)).toEqual([expect.stringMatching(/^CUPO_KEY is missing/)]);
    }
    const CUPO_KEY_FILE = aFile("key", CUPO_KEY);
    expect(faultsOf({ ...OWN_DATABASE, CUPO_KEY_FILE })).toEqual([expect.stringMatching(/both set/)]);
    expect(faultsOf({ ...OWN_DATABASE, CUPO_DATABASE_PORT: "5999" })).toEqual([expect.stringMatching(/remove one/)]);
    expect(faultsOf({ DATABASE_READ_URL: DATABASE_URL })).toEqual([expect.stringMatching(/needs DATABASE_URL/)]);
  });

  it("a broker apart needs each part of its upstream", () => {
    const faults = faultsOf(OWN_DATABASE, "broker");
    expect(faults.map((fault) => fault.split(" is missing")[0])).toEqual([
      "CUPO_BASE_URL",
      "CUPO_AUTH_URL",
      "CUPO_CLIENT_ID",
      "CUPO_CLIENT_SECRET or CUPO_CLIENT_SECRET_FILE",
    ]);
    const CUPO_CLIENT_SECRET_FILE = aFile("secret", "\n");
    expect(faultsOf({ ...BROKER, CUPO_CLIENT_SECRET_FILE }, "broker")).toEqual([expect.stringMatching(/both set/)]);
    const { CUPO_CLIENT_SECRET: _, ...rest } = BROKER;
    expect(faultsOf({ ...rest, CUPO_CLIENT_SECRET_FILE }, "broker")).toEqual([expect.stringMatching(/is empty/)]);
  });

  it("npm start would silently ignore what is for a broker apart, so it refuses it", () => {
    expect(faultsOf({ CUPO_CLIENT_ID: "x", CUPO_UPSTREAM: "cupo" })).toHaveLength(2);
    expect(faultsOf({ ...OWN_DATABASE, CUPO_CLIENT_ID: "x" }, "service")).toEqual([]);
  });

  it("another implementation as upstream is refused rather than half served", () => {
    expect(faultsOf({ CUPO_UPSTREAM: "reference" })).toContain(
      "CUPO_UPSTREAM=reference is not available yet: point the broker at a Cupo service, or remove it.",
    );
  });

  it("two parts of one process cannot share a port", () => {
    expect(faultsOf({ CUPO_PORT: "4100" })).toEqual([
      "CUPO_PORT and CUPO_SERVICE_PORT are both 4100: give each a port of its own.",
    ]);
  });
});

describe("the table of the configuration", () => {
  it("has a row for every variable, with its default", () => {
    const table = configurationTable();
    expect(table).toContain("| `CUPO_PORT` | `4000` | ");
    for (const name of ["DATABASE_URL", "DATABASE_READ_URL", "CUPO_KEY_FILE", "CUPO_CLIENT_SECRET_FILE"]) {
      expect(table).toContain(`| \`${name}\` | `);
    }
    expect(table.match(/^\| `(?:CUPO_|DATABASE_)/gm)).toHaveLength(Object.keys(VARIABLES).length);
  });
});
