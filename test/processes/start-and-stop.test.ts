import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { ownerOfPid } from "../../server/database/embedded/postmaster-file.ts";
import { MainProcess } from "../e2e/support/child-process.ts";
import { aPlace, environmentOf, type Place, Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";

/** The aim is ten seconds on a machine of two cores; here other tests may have both of them. */
const READY_WITHIN_MS = 20_000;
const AMOUNT = 25_000;

let place: Place | undefined;
let product: Product | undefined;

afterEach(async () => {
  product?.main.signal("SIGKILL");
  await product?.main.ended();
  await place?.folder.remove();
  [place, product] = [undefined, undefined];
});

/** Starts the product of this test, the first time at a new place, later at the same. */
async function start(options: { fromNothing?: boolean } = {}): Promise<Product> {
  place ??= await aPlace();
  product = await Product.start(place, options);
  return product;
}

/** True if that process still is the PostgreSQL of the folder; one that ended and that nobody waited for is not. */
function isAlive(pid: number, { folder }: Place): boolean {
  return ownerOfPid(pid, join(folder.path, "postgres")) === "this cluster";
}

function demoFile({ place: { folder } }: Product): { readonly text: string; readonly mode: number } {
  const path = join(folder.path, "demo.json");
  return { text: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 };
}

function postgresOf({ place: { folder } }: Product): number {
  const pid = folder.postgresPid;
  if (pid === undefined) throw new Error("no PostgreSQL runs");
  return pid;
}

/** A request that has reached the service and that its client does not finish: a stop waits seconds for it. */
async function unfinishedRequest({ place: { servicePort } }: Product): Promise<Socket> {
  const socket = connect(servicePort, "127.0.0.1");
  socket.on("error", () => undefined);
  const lines = ["POST /oauth2/token HTTP/1.1", "Host: localhost", "Expect: 100-continue", "Content-Length: 100"];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  // The server asks for the body, so it has taken the request.
  await once(socket, "data");
  socket.write("grant_type=");
  return socket;
}

async function pay(api: ServiceApi, { demo }: Product): Promise<string> {
  const { payer, merchant } = demo.users;
  const { payload } = await api.makeQr({ amount: AMOUNT });
  const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: AMOUNT, details: { qr: payload } };
  const { body: paid } = await api.client.createTransaction({ body });
  expect(paid.status).toBe("approved");
  return paid.reference;
}

describe("npm start", () => {
  it("is ready soon, says what to open, and both parts answer", async () => {
    const { readyMs, main, origin, demo } = await start({ fromNothing: true });
    console.info(`first start, database made: ready in ${readyMs.toFixed(0)} ms`);
    expect(readyMs).toBeLessThan(READY_WITHIN_MS);
    const [shop, app, api] = [`${origin}/demo/`, `${origin}/`, `${demo.base_url}/openapi.json`];
    for (const url of [shop, app, api]) expect(main.out).toContain(url);
    // The pages themselves need the built front end, with which the journeys open them.
    for (const url of [`${origin}/v1/demo/people`, api]) expect((await fetch(url)).status).toBe(200);
  });

  it("writes demo.json for its owner alone and keeps it, and the balances, over restarts", async () => {
    const first = await start();
    const { text, mode } = demoFile(first);
    expect(mode).toBe(0o600);
    expect(JSON.parse(text)).toMatchObject({ app: first.origin, users: { payer: { nit: "1020304050" } } });
    const api = await ServiceApi.of(first.demo);
    await pay(api, first);
    const balances = await api.balances();
    expect(balances).toEqual({ payer: 475_000, merchant: 325_000 });
    expect(await first.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    const second = await start();
    console.info(`second start: ready in ${second.readyMs.toFixed(0)} ms`);
    // Another program may have taken the database's port meanwhile.
    const withoutPort = (file: string): string => file.replace(/:\d+\/cupo"/, '/cupo"');
    expect(withoutPort(demoFile(second).text)).toBe(withoutPort(text));
    expect(demoFile(second).mode).toBe(mode);
    expect(await (await ServiceApi.of(second.demo)).balances()).toEqual(balances);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends on %s what is under way, itself and PostgreSQL", async (signal) => {
    const running = await start();
    const pid = postgresOf(running);
    const api = await ServiceApi.of(running.demo);
    const begun = await Promise.all(Array.from({ length: 20 }, () => api.beginQr()));
    const underWay = Promise.all(begun.map((complete) => complete()));
    running.main.signal(signal);
    expect(new Set(await underWay)).toEqual(new Set([201]));
    expect(await running.main.ended()).toEqual({ code: 0, signal: null });
    expect(isAlive(pid, running.place)).toBe(false);
    expect(running.place.folder.postgresPid).toBeUndefined();
    expect(running.takeLogged()).toEqual([]);
  });

  it("takes a second Ctrl-C right after the first, as npm forwards it, for the same wish", async () => {
    const running = await start();
    const client = await unfinishedRequest(running);
    running.main.signal("SIGINT");
    await delay(50);
    running.main.signal("SIGINT");
    await delay(50);
    expect(running.main.isOver).toBe(false);
    client.destroy();
    expect(await running.main.ended()).toEqual({ code: 0, signal: null });
    expect(running.place.folder.postgresPid).toBeUndefined();
  });

  it("takes a Ctrl-C two seconds after the first for impatience, and ends at once", async () => {
    const running = await start();
    const client = await unfinishedRequest(running);
    running.main.signal("SIGINT");
    await delay(2_000);
    expect(running.main.isOver).toBe(false);
    const askedAgainAt = performance.now();
    running.main.signal("SIGINT");
    expect(await running.main.ended()).toEqual({ code: 1, signal: null });
    expect(performance.now() - askedAgainAt).toBeLessThan(2_000);
    client.destroy();
  });

  it("after a kill -9 right after a payment starts again, and the payment is there", async () => {
    const first = await start();
    const reference = await pay(await ServiceApi.of(first.demo), first);
    first.main.signal("SIGKILL");
    expect((await first.main.ended()).signal).toBe("SIGKILL");
    const orphan = postgresOf(first);
    expect(isAlive(orphan, first.place)).toBe(true);
    const second = await start();
    console.info(`start after kill -9: ready in ${second.readyMs.toFixed(0)} ms`);
    expect(isAlive(orphan, first.place)).toBe(false);
    const api = await ServiceApi.of(second.demo);
    expect(await api.approvedOf(reference)).toBe(1);
    expect(await api.balances()).toEqual({ payer: 475_000, merchant: 325_000 });
  });

  it("after a kill -9 of PostgreSQL too, as in a power cut, has the payment still", async () => {
    const first = await start();
    const reference = await pay(await ServiceApi.of(first.demo), first);
    kill(postgresOf(first), "SIGKILL");
    first.main.signal("SIGKILL");
    await first.main.ended();
    const second = await start();
    console.info(`start after kill -9 of both: ready in ${second.readyMs.toFixed(0)} ms`);
    expect(await (await ServiceApi.of(second.demo)).approvedOf(reference)).toBe(1);
  });
});

describe("a start that cannot be", () => {
  async function refusal(environment: Record<string, string>, role?: string): Promise<string> {
    const main = new MainProcess({ environment, ...(role === undefined ? {} : { role }) });
    expect(await main.ended()).toEqual({ code: 1, signal: null });
    expect(main.out).toBe("");
    // A sentence for people, no stack.
    expect(main.err).not.toMatch(/^\s+at /m);
    return main.err;
  }

  it("says that Cupo already runs with the folder, and disturbs nothing", async () => {
    const running = await start();
    const other = await aPlace();
    const environment = { ...environmentOf(other), CUPO_DATA_DIR: running.place.folder.path };
    for (const role of [undefined, "check"]) {
      const said = await refusal(environment, role);
      expect(said).toContain(`already running with the data folder ${running.place.folder.path}`);
    }
    expect((await fetch(`${running.demo.base_url}/health/ready`)).status).toBe(200);
  });

  it("says which port is taken, and leaves no PostgreSQL behind", async () => {
    place = await aPlace();
    for (const port of [place.port, place.servicePort]) {
      const squatter: Server = createServer();
      await new Promise<void>((done) => squatter.listen(port, "127.0.0.1", done));
      for (const role of [undefined, "check"]) {
        const said = await refusal(environmentOf(place), role);
        expect(said).toContain(String(port));
        expect(said).toMatch(/port|CUPO_/);
      }
      expect(place.folder.postgresPid).toBeUndefined();
      await new Promise((done) => squatter.close(done));
    }
  });

  it("says that the data folder cannot be used, where it is or would be", async () => {
    place = await aPlace();
    for (const path of ["package.json", "package.json/data"]) {
      for (const role of [undefined, "check"]) {
        const said = await refusal({ ...environmentOf(place), CUPO_DATA_DIR: resolve(path) }, role);
        expect(said).toContain("set CUPO_DATA_DIR to another");
      }
    }
  });

  it("is asked before npm start builds, and takes nothing", async () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: { prestart: string } };
    expect(scripts.prestart).toMatch(/^node server\/main\.ts check && npm run build /);
    place = await aPlace();
    const main = new MainProcess({ environment: environmentOf(place), role: "check" });
    expect([await main.ended(), main.out, main.err]).toEqual([{ code: 0, signal: null }, "", ""]);
    expect(() => statSync(place?.folder.path ?? "")).toThrow("ENOENT");
  });

  it("lists every fault of the configuration at once, and does nothing", async () => {
    place = await aPlace();
    const said = await refusal({
      ...environmentOf(place),
      CUPO_PORT: "eighty",
      CUPO_DEMO: "maybe",
      CUPO_CURRENCY: "",
      CUPO_SERVICEPORT: "4100",
    });
    expect(said).toContain("4 faults");
    for (const name of ["CUPO_PORT", "CUPO_DEMO", "CUPO_CURRENCY", "CUPO_SERVICEPORT"]) expect(said).toContain(name);
    expect(said).toContain("did you mean CUPO_SERVICE_PORT?");
    expect(() => statSync(place?.folder.path ?? "")).toThrow("ENOENT");
  });

  it.each(["service", "broker"])("names all that the %s needs to run apart", async (role) => {
    const said = await refusal({}, role);
    expect(said).toContain("DATABASE_URL is missing");
    if (role === "broker") for (const name of ["CUPO_BASE_URL", "CUPO_CLIENT_ID"]) expect(said).toContain(name);
  });

  it("says which parts there are, for any other word", async () => {
    expect(await refusal({}, "everything")).toContain("service or broker");
  });
});
