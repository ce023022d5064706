import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { serviceGuide } from "../../server/service/service-guide.ts";
import { aService, aUser, type TestService } from "../support/service.ts";
import { aReceiver, type Received, type WebhookReceiver } from "../support/webhook-receiver.ts";

type ApplyOnce = (id: string, event: Received["event"]) => Promise<void>;
type Receive = (request: Request, secret: string, applyOnce: ApplyOnce) => Promise<Response>;

const ROOT = join(import.meta.dirname, "../..");

let service: TestService;
let receiver: WebhookReceiver;
let folder: string;

beforeAll(async () => {
  receiver = await aReceiver();
  service = await aService({ webhooks: { allowed: ["127.0.0.0/8"], pollMs: 50 } });
  folder = await mkdtemp(join(tmpdir(), "cupo-readme-receiver-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.stop();
  await receiver.down();
});

/** The receiver as a text shows it. */
function codeIn(text: string): string {
  const [, code = ""] = /```js\n(import \{ Webhook \}[^`]*)```/.exec(text) ?? [];
  return code;
}

/** The README's receiver as a reader would run it. */
async function readmeReceiver(code: string): Promise<Receive> {
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  await writeFile(join(folder, "receiver.mjs"), code);
  const { receive } = await import(/* @vite-ignore */ pathToFileURL(join(folder, "receiver.mjs")).href);
  return receive as Receive;
}

it("the receiver of README and documents applies what was sent and refuses what was altered", async () => {
  const code = codeIn(await readFile(join(ROOT, "README.md"), "utf8"));
  expect(code).toContain("standardwebhooks");
  expect(codeIn(serviceGuide)).toBe(code);
  const receive = await readmeReceiver(code);

  const entity = await service.anEntity();
  const settings = { params: { name: "users" }, body: { url: receiver.url } };
  const { secret = "" } = (await entity.client.putWebhook(settings)).body;
  const { id } = await aUser(entity, { name: "Ana" });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 10_000 });
  const [message] = receiver.received;
  const requestOf = (body: string) =>
    new Request(receiver.url, { method: "POST", headers: message?.headers ?? {}, body });

  const applied: unknown[] = [];
  const applyOnce: ApplyOnce = async (eventId, { type, data }) => {
    applied.push([eventId, type, data.id]);
  };
  const body = message?.body ?? "";
  expect((await receive(requestOf(body), secret, applyOnce)).status).toBe(204);
  expect(applied).toEqual([[message?.id, "user.created", id]]);
  const altered = requestOf(body.replace("Ana", "Eva"));
  await expect(receive(altered, secret, applyOnce)).rejects.toThrow("No matching signature found");
  expect(applied).toHaveLength(1);
});
