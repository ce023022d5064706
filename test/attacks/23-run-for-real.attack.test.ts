import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MainProcess } from "../e2e/support/child-process.ts";
import { aPlace, environmentOf, type Place } from "../e2e/support/product.ts";
import { aClusterOfItsOwn, type OwnCluster } from "../support/own-cluster.ts";
import { runCommand } from "../support/run-command.ts";
import { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import { type Credentials, EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { ROOT } from "./support/target.ts";

const FINTECH = "My Fintech";
const SHOP_ORIGIN = "http://localhost:3000";

let cluster: OwnCluster;
let place: Place;
let environment: Record<string, string>;
let main: MainProcess;

async function started(more: Readonly<Record<string, string>>): Promise<MainProcess> {
  const process = new MainProcess({ root: ROOT, environment: { ...environment, ...more } });
  await process.ready();
  return process;
}

async function command<T>(...args: readonly string[]): Promise<T> {
  const { code, out, err } = await runCommand([...args, "--json"], environment, ROOT);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as T;
}

beforeAll(async () => {
  [cluster, place] = [await aClusterOfItsOwn(), await aPlace()];
  const key = randomBytes(32).toString("hex");
  environment = { ...environmentOf(place), DATABASE_URL: cluster.url, CUPO_KEY: key };
  // An earlier version does not know the variable, and refuses it.
  main = await started({ CUPO_ENTITY: FINTECH }).catch(() => started({}));
});

afterAll(async () => {
  main?.signal("SIGINT");
  await main?.ended();
  await cluster?.stop();
  await place?.folder.remove();
});

describe("rule 23: what runs for real lets people pay", () => {
  attack("whoever sets it up by the commands has users who cannot pay in the app", async () => {
    const service = `http://localhost:${place.servicePort}`;
    const origin = `http://localhost:${place.port}`;
    const backend = await EntityCaller.of(service, await command<Credentials>("client", "create", "--entity", FINTECH));
    const [shop, payer] = [await backend.aUser(), await backend.aUser({ quota: 100_000 })];
    const named = ["--name", "Shop", "--user-id", shop, "--origin", SHOP_ORIGIN];
    const merchant = await command<{ server_key: string }>("merchant", "create", ...named);
    const phone = new AppBrowser(origin);
    await phone.enrol(await command("operator", "invite", "--user-id", payer));
    const shopApi = new HttpCaller(origin, () => ({ authorization: `Bearer ${merchant.server_key}` }));
    const order = await shopApi.post("/v1/sessions", { kind: "pay", amount: 25_000, origin: SHOP_ORIGIN });
    const { payload } = (await phone.post("/v1/scans", { reference: order.body.reference })).body;
    await phone.pay({ payload });
    expect((await shopApi.get(`/v1/sessions/${order.body.session_id}`)).body.state).toBe("paid");
  });

  attack("it starts against an empty database without a word on whose people it lets in", async () => {
    const [empty, elsewhere] = [await aClusterOfItsOwn(), await aPlace()];
    const key = randomBytes(32).toString("hex");
    const nameless = { ...environmentOf(elsewhere), DATABASE_URL: empty.url, CUPO_KEY: key };
    const process = new MainProcess({ root: ROOT, environment: nameless });
    const outcome = await process.ready().then(
      () => "started",
      () => process.err,
    );
    process.signal("SIGINT");
    await process.ended();
    await empty.stop();
    await elsewhere.folder.remove();
    expect(outcome).toContain("CUPO_ENTITY is missing");
  });

  it("says what is missing", async () => {
    const ready = await new HttpCaller(`http://localhost:${place.port}`, () => ({})).get("/health/ready");
    expect(ready.status).toBe(200);
  });
});
