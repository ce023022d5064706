import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AppBrowser } from "../attacks/support/app-browser.ts";
import { terminalBlock } from "../readme/terminal-block.ts";
import { aClusterOfItsOwn, type OwnCluster } from "../support/own-cluster.ts";
import { aCheckout } from "./support/checkout.ts";
import { freePort } from "./support/product.ts";
import { TERMINAL_MS, Terminal } from "./support/terminal.ts";

let cluster: OwnCluster;
let folder: string;
const terminals: Terminal[] = [];

beforeAll(async () => {
  cluster = await aClusterOfItsOwn();
  folder = aCheckout();
});

afterAll(async () => {
  for (const terminal of terminals.reverse()) await terminal.interrupt();
  await cluster?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

it("the README's words run it for real: an order's session reads paid", { timeout: 4 * TERMINAL_MS }, async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", DATABASE_URL: cluster.url };
  const type = (block: string): Terminal => {
    const typed = terminalBlock(block)
      .replaceAll("localhost:4000", `localhost:${port}`)
      .replaceAll("localhost:4100", `localhost:${servicePort}`)
      // The packages are there: `npm ci` would cost each run a minute and show nothing that the run itself does not.
      .replace("npm ci && ", "");
    const ports = `export CUPO_PORT=${port} CUPO_SERVICE_PORT=${servicePort}\nset -e\n`;
    const terminal = new Terminal(ports + typed, folder, env);
    terminals.push(terminal);
    return terminal;
  };

  const first = type("first-terminal");
  await first.says(/^Cupo \S+ is ready\.$/m);
  const second = type("second-terminal");
  const [, link = ""] = await second.says(/^link +(\S+)$/m);
  const [, code = ""] = await second.says(/^code +(\d+)$/m);
  const phone = new AppBrowser(`http://localhost:${port}`);
  expect((await phone.enrol({ link, code })).status).toBe(200);
  const [, reference = ""] = await second.says(/^reference: (\S+)$/m);
  const { payload } = (await phone.post("/v1/scans", { reference })).body;
  expect((await phone.pay({ payload })).body).toMatchObject({ state: "approved" });
  expect(await second.ended()).toBe(0);
  expect(second.said).toContain("order 1: paid");
  const status = JSON.parse(readFileSync(join(folder, "data/status.json"), "utf8")) as { state: string };
  expect(status.state).toBe("paid");
  expect((await phone.get("/health/ready")).body).toEqual({ status: "ready", missing: [] });
});
