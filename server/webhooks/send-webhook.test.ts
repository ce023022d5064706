import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createSender, type DeliveryOutcome } from "./send-webhook.ts";
import { createWebhookNetwork } from "./webhook-network.ts";

const TIMEOUT_MS = 400;
const KEPT_MS = 600;
const servers: Server[] = [];
const sender = createSender({
  network: createWebhookNetwork({ allowed: ["127.0.0.0/8"] }),
  timeoutMs: TIMEOUT_MS,
  keptMs: KEPT_MS,
});

/** Sends a message to a receiver that answers with these bytes, whatever they are, and leaves its connection open. */
async function sentTo(answer: string, ended: () => void = () => undefined): Promise<DeliveryOutcome> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("close", ended);
    socket.once("data", () => socket.write(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return sender.send({ url, headers: {}, body: "{}" }, new AbortController().signal);
}

afterEach(() => {
  sender.close();
  for (const server of servers.splice(0)) server.close();
});

describe("a receiver cannot keep an attempt from ending", () => {
  const refused = (status: number | null, error: string) => ({ type: "refused", status, error });

  it.each<[string, string, object]>([
    [
      "by asking for another protocol",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
      refused(101, "refused"),
    ],
    ["by announcing an answer again and again", "HTTP/1.1 100 Continue\r\n\r\n".repeat(5), refused(null, "timed_out")],
    ["by saying nothing", "", refused(null, "timed_out")],
    ["by saying nothing of HTTP", "what\r\n\r\n", refused(null, "not_connected")],
    [
      "by an answer that is never whole: its status counts",
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc",
      { type: "accepted", status: 200 },
    ],
    [
      "by an answer without end: it is cut",
      `HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n${"x".repeat(200_000)}`,
      { type: "accepted", status: 200 },
    ],
  ])("%s", async (_how, answer, outcome) => {
    expect(await sentTo(answer)).toEqual(outcome);
  });

  it("nor can it keep a connection open that is not used", async () => {
    const ended = Promise.withResolvers<void>();
    const answer = "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n";
    const sentAt = performance.now();
    expect(await sentTo(answer, ended.resolve)).toEqual({ type: "accepted", status: 200 });
    const answeredAt = performance.now();
    await ended.promise;
    const keptMs = performance.now() - answeredAt;
    expect(answeredAt - sentAt).toBeLessThan(TIMEOUT_MS);
    expect(keptMs).toBeGreaterThan(KEPT_MS / 2);
  });

  it("nor can it keep a process from stopping", async () => {
    const stopping = new AbortController();
    const server = createServer(() => stopping.abort());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await sender.send({ url, headers: {}, body: "{}" }, stopping.signal)).toEqual({ type: "stopped" });
  });
});
