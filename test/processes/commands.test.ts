import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import { MainProcess } from "../e2e/support/child-process.ts";
import { aPlace, environmentOf, freePort, Product } from "../e2e/support/product.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";
import { npmRun, runCommand } from "../support/run-command.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> };
/** The scripts of package.json that are commands of operators. */
const COMMANDS = Object.keys(scripts).filter((name) => scripts[name]?.includes("server/command.ts"));

interface Credentials {
  readonly entity_id: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** Runs a command that must succeed, and returns the JSON that it prints. */
async function done<T>(args: readonly string[], environment: Record<string, string>): Promise<T> {
  const { code, out, err } = await runCommand([...args, "--json"], environment);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as T;
}

/** Runs a command that must fail, and returns its exit code and error output. */
async function refused(args: readonly string[], environment: Record<string, string>): Promise<[number | null, string]> {
  const { code, out, err } = await runCommand(args, environment);
  expect(out).toBe("");
  // A sentence for people, no stack.
  expect(err).not.toMatch(/^\s+at /m);
  return [code, err];
}

async function tokenFrom(authUrl: string, { client_id, client_secret }: Credentials): Promise<string | undefined> {
  const response = await fetch(`${authUrl}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  if (response.status === 401) return undefined;
  return ((await response.json()) as { access_token: string }).access_token;
}

async function apiOf(baseUrl: string, credentials: Credentials) {
  const token = await tokenFrom(baseUrl, credentials);
  return createClient(serviceContract, { baseUrl, headers: () => ({ authorization: `Bearer ${token}` }) });
}

describe("npm run client beside a running npm start", () => {
  let product: Product;
  let environment: Record<string, string>;
  let baseUrl: string;

  beforeAll(async () => {
    product = await Product.start(await aPlace());
    environment = environmentOf(product.place);
    baseUrl = product.demo.base_url;
  });
  afterAll(() => product?.remove());

  it("makes an entity and credentials, says how to use them, and they work at once", async () => {
    const { code, out, err } = await npmRun("client", ["create", "--entity", "Fintech Uno"], environment);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [, entityId = ""] = /^New entity: Fintech Uno \(([\w-]+)\)$/m.exec(out) ?? [];
    const [, clientId = ""] = /^client_id +(\S+)$/m.exec(out) ?? [];
    const [, secret = ""] = /^client_secret +(\S+)$/m.exec(out) ?? [];
    expect(out).toContain(`curl ${baseUrl}/oauth2/token -u ${clientId} -d grant_type=client_credentials`);
    const api = await apiOf(baseUrl, { entity_id: entityId, client_id: clientId, client_secret: secret });
    const { body: listed } = await api.apiClients({ query: {} });
    expect(listed).toMatchObject([{ client_id: clientId, name: "default", disabled_at: null }]);
    const { body: user } = await api.createUser({ body: { name: "Luz", nit: "cmd-1", phone: "3007771111" } });
    expect((await api.user({ query: { id: user.id } })).body.name).toBe("Luz");
  });

  it("works in this installation's own entity unless another is named, whose users it refuses to let in", async () => {
    const own = await done<Credentials>(["client", "create"], environment);
    const api = await apiOf(baseUrl, own);
    expect((await api.user({ query: { id: product.demo.users.payer.id } })).body.yours).toBe(true);
    const { out } = await runCommand(["client", "create", "--entity", "Elsewhere"], environment);
    expect(out).toContain("users of this entity are not let in to it");
    const other = await done<Credentials>(["client", "create", "--entity", "Elsewhere"], environment);
    const body = { name: "Zoe", nit: "cmd-9", phone: "3007771119" };
    const { id } = (await (await apiOf(baseUrl, other)).createUser({ body })).body;
    for (const args of [
      ["operator", "invite", "--user-id", id],
      ["merchant", "create", "--name", "Zoe", "--user-id", id],
    ]) {
      const [code, said] = await refused(args, environment);
      expect([code, said]).toEqual([1, expect.stringContaining(`Zoe (${id}) belongs to another entity`)]);
    }
  });

  it("gives an entity that it knows, by name or id, one more client", async () => {
    const first = await done<Credentials>(["client", "create", "--entity", "Dos"], environment);
    const more = ["client", "create", "--name", "Caja"];
    const [byName, byId] = [
      await done<Credentials>([...more, "--entity", "Dos"], environment),
      await done<Credentials>([...more, "--entity", first.entity_id], environment),
    ];
    expect([byName.entity_id, byId.entity_id]).toEqual([first.entity_id, first.entity_id]);
    const { body } = await (await apiOf(baseUrl, first)).apiClients({ query: {} });
    expect(body.map(({ name }) => name)).toEqual(["Caja", "Caja", "default"]);
  });

  it("rotates without downtime, and disables", async () => {
    const old = await done<Credentials>(["client", "create", "--entity", "Tres"], environment);
    const rotated = await done<Credentials & { secrets: { id: string }[] }>(
      ["client", "rotate", old.client_id],
      environment,
    );
    for (const credentials of [old, rotated]) expect(await tokenFrom(baseUrl, credentials)).toBeDefined();
    const [code, said] = await refused(["client", "rotate", old.client_id], environment);
    expect([code, said]).toEqual([1, expect.stringContaining("two live secrets")]);
    const retire = ["--retire", rotated.secrets[0]?.id ?? "", "--no-new-secret"];
    await done(["client", "rotate", old.client_id, ...retire], environment);
    expect(await tokenFrom(baseUrl, old)).toBeUndefined();
    expect(await tokenFrom(baseUrl, rotated)).toBeDefined();
    await done(["client", "disable", old.client_id], environment);
    expect(await tokenFrom(baseUrl, rotated)).toBeUndefined();
    const { out } = await runCommand(["client", "list", "--entity", "Tres"], environment);
    expect(out).toMatch(new RegExp(`^  ${old.client_id}  default  .*disabled`, "m"));
    expect(out).not.toContain(rotated.client_secret);
  });

  it("says what there is not", async () => {
    const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
    expect(await refused(["client", "create", "--entity", nobody], environment)).toEqual([
      1,
      `There is no entity ${nobody}: npm run client -- list shows those there are.\n`,
    ]);
    for (const verb of ["rotate", "disable"]) {
      const [code, said] = await refused(["client", verb, "client_AAAAAAAAAAAAAAAA"], environment);
      expect([code, said]).toEqual([1, expect.stringContaining("There is no API client client_AAAA")]);
    }
    expect(await refused(["key", "revoke", "-no-"], environment)).toEqual([
      1,
      "There is no key -no-: npm run key -- list shows those there are.\n",
    ]);
  });

  it("works when nothing runs too, and leaves no PostgreSQL behind; then Cupo starts as ever", async () => {
    expect(await product.stop()).toEqual({ code: 0, signal: null });
    const made = await done<Credentials>(["client", "create", "--entity", "Nightly"], environment);
    expect(product.place.folder.postgresPid).toBeUndefined();
    product = await Product.start(product.place);
    expect(await tokenFrom(product.demo.base_url, made)).toBeDefined();
  });
});

describe("commands on a database of one's own", () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await aDatabase();
    // A folder of its own: npm start may have left a demo's credentials in that of the checkout.
    const dataDir = join(tmpdir(), `cupo-commands-${randomBytes(8).toString("hex")}`);
    const key = randomBytes(32).toString("base64");
    environment = { DATABASE_URL: database.url, CUPO_KEY: key, CUPO_DATA_DIR: dataDir };
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(environment.CUPO_DATA_DIR ?? "", { recursive: true, force: true });
  });

  it("make the first client before the service has ever run, and rotate its keys while it does", async () => {
    const credentials = await done<Credentials>(["client", "create", "--entity", "Fintech"], environment);
    const port = await freePort();
    const service = new MainProcess({
      role: "service",
      environment: {
        ...environment,
        ...{ CUPO_SERVICE_PORT: String(port), CUPO_RATE_LIMIT: "50", CUPO_ENTITY: "Fintech" },
      },
    });
    expect((await refused(["client", "create"], environment))[1]).toContain("no entity of its own yet (CUPO_ENTITY)");
    try {
      await service.ready();
      const own = await done<Credentials>(["client", "create"], environment);
      expect(own.entity_id).toBe(credentials.entity_id);
      const [, said] = await refused(["operator", "invite", "--nit", "1"], environment);
      expect(said).toContain("run this with the broker's CUPO_BASE_URL, CUPO_CLIENT_ID and CUPO_CLIENT_SECRET");
      const token = await tokenFrom(`http://localhost:${port}`, credentials);
      const headers = { authorization: `Bearer ${token}` };
      const { status, headers: limits } = await fetch(`http://localhost:${port}/api-clients`, { headers });
      expect([status, limits.get("ratelimit-policy")]).toEqual([200, '"default";q=50;w=60']);
      const waiting = await done<{ kid: string; state: string }>(["key", "rotate", "token"], environment);
      expect(waiting.state).toBe("waits");
      const keys = await done<{ kid: string; purpose: string; state: string }[]>(["key", "list"], environment);
      expect(keys.map(({ purpose, state }) => `${purpose} ${state}`).sort()).toEqual([
        "qr signs",
        "token signs",
        "token waits",
      ]);
      const { out } = await npmRun("key", ["list"], environment);
      expect(out).toMatch(new RegExp(`^${waiting.kid}  token +waits`, "m"));
      const signing = keys.find(({ purpose, state }) => purpose === "token" && state === "signs")?.kid ?? "";
      const revoked = await done<{ signs_now: string }>(["key", "revoke", signing], environment);
      expect(revoked.signs_now).toBe(waiting.kid);
    } finally {
      service.signal("SIGTERM");
      await service.ended();
    }
  });

  it("make no key with a service key that is not the one in use", async () => {
    await done(["key", "rotate", "qr"], environment);
    const before = await done(["key", "list"], environment);
    const other = { ...environment, CUPO_KEY: randomBytes(32).toString("base64") };
    for (const args of [
      ["rotate", "token"],
      ["revoke", "AAAA"],
    ]) {
      const [code, said] = await refused(["key", ...args], other);
      expect([code, said]).toEqual([1, expect.stringContaining("CUPO_KEY")]);
    }
    expect(await done(["key", "list"], environment)).toEqual(before);
  });

  it("say that the database is away, without its password", async () => {
    const url = "postgres://cupo:secret-word@127.0.0.1:1/cupo";
    const [code, said] = await refused(["client", "list"], { ...environment, DATABASE_URL: url });
    expect([code, said]).toEqual([1, expect.stringContaining("The database cannot be reached")]);
    expect(said).not.toContain("secret-word");
  });
});

describe("a command that is not understood", () => {
  const nowhere = { CUPO_DATA_DIR: join(tmpdir(), `cupo-nowhere-${randomBytes(8).toString("hex")}`) };

  it.each([
    [[], "Say one of accrue, client, clock, close-month, key, merchant, operator."],
    [["user"], "Say one of accrue, client, clock, close-month, key, merchant, operator."],
    [["constructor"], "Say one of accrue, client, clock, close-month, key, merchant, operator."],
    [["client"], "Say one of create, rotate, disable, list."],
    [["client", "toString"], "Say one of create, rotate, disable, list."],
    [["client", "create", "--entity", " "], "--entity must have a letter or a digit"],
    [["client", "create", "--entity", "A", "B"], '"B" is one word too many.'],
    [["client", "create", "--entity", "A", "--secret", "mine"], "--secret"],
    [["client", "rotate"], "Name the client id."],
    [["client", "rotate", "client_AAAAAAAAAAAAAAAA", "--no-new-secret"], "--no-new-secret needs a secret to end"],
    [["client", "disable", "one", "two"], '"two" is one word too many.'],
    [["client", "list", "--entity"], "--entity"],
    [["key", "rotate"], "Name the purpose: token or qr."],
    [["key", "rotate", "all"], "Say token or qr"],
    [["key", "revoke"], "Name the key."],
    [["key", "list", "qr"], '"qr" is one word too many.'],
  ])("is refused with the usage and exit code 2: %j", async (args, sentence) => {
    const [code, said] = await refused(args, nowhere);
    expect([code, said]).toEqual([2, expect.stringContaining(sentence)]);
    if (["client", "key"].includes(args[0] ?? "")) expect(said).toContain(`Usage: npm run ${args[0]} -- COMMAND`);
    expect(existsSync(nowhere.CUPO_DATA_DIR)).toBe(false);
  });

  it.each(COMMANDS)("shows the usage of %s when asked to, and makes nothing", async (name) => {
    const { code, out } = await runCommand([name, "--help"], nowhere);
    expect([code, out]).toEqual([0, expect.stringContaining(`Usage: npm run ${name}`)]);
    expect(existsSync(nowhere.CUPO_DATA_DIR)).toBe(false);
  });

  it("makes no database in a folder that has none", async () => {
    const [failed, said] = await refused(["client", "list"], nowhere);
    expect([failed, said]).toEqual([1, expect.stringContaining("There is no database in")]);
    expect(existsSync(nowhere.CUPO_DATA_DIR)).toBe(false);
  });
});
