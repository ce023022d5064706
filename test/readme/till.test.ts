import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Listening, listen } from "../../server/http/listen.ts";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../support/broker.ts";
import { setPowers } from "../support/set-powers.ts";
import { silentLog } from "../support/silent-log.ts";
import { guideBlock } from "./guide-blocks.ts";

type StartTill = (till: string) => Promise<{ readonly session: string }>;

const CLIENT = pathToFileURL(join(import.meta.dirname, "../../src/cupo-client.ts")).href;

let broker: TestBroker;
let listening: Listening;
let folder: string;
let startTill: StartTill;

beforeAll(async () => {
  [broker, folder] = await Promise.all([aBroker(), mkdtemp(join(tmpdir(), "cupo-guide-till-"))]);
  const newRequestId = () => v7();
  listening = await listen(broker.app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId });
  vi.stubEnv("BROKER", `http://127.0.0.1:${listening.port}`);
  vi.stubEnv("SHOP", SHOP_ORIGIN);
  vi.stubEnv("SERVER_KEY", broker.demo.merchantKeys.serverKey);
  const file = join(folder, "till.mjs");
  await writeFile(file, guideBlock("till.mjs").replace('"cupo/client"', JSON.stringify(CLIENT)));
  ({ startTill } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { startTill: StartTill });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await listening.close(1_000);
  await broker.stop();
  await rm(folder, { recursive: true, force: true });
});

async function isLive(session: string): Promise<boolean> {
  const asked = broker.till(session).widgetSession({});
  return asked.then(
    () => true,
    () => false,
  );
}

it("however many pages of one till ask the guide's backend at once, one session is left to sell", async () => {
  const started = await Promise.all(Array.from({ length: 5 }, () => startTill("Caja 1")));
  const live = await Promise.all(started.map(({ session }) => isLive(session)));
  expect(live).toEqual([false, false, false, false, true]);
});

it("a start of the guide's that was refused leaves the till's next one to succeed", async () => {
  const sells = (allowed: boolean) => setPowers(broker, { sellsTopUps: allowed });
  await sells(false);
  await expect(startTill("Caja 2")).rejects.toMatchObject({ code: "not_allowed" });
  await sells(true);
  expect(await isLive((await startTill("Caja 2")).session)).toBe(true);
});
