import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { serializeRequests } from "./serialize-requests.ts";

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server that holds each answer until the test releases it. */
async function aServer(limit?: number) {
  const held: { readonly path: string; readonly outgoing: ServerResponse }[] = [];
  let arrived = 0;
  const turns = serializeRequests(({ url = "" }, outgoing) => void held.push({ path: url, outgoing }), limit);
  const server = createServer((incoming, outgoing) => {
    arrived += 1;
    turns.serve(incoming, outgoing);
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const answerNext = (): string => {
    const { path = "", outgoing } = held.shift() ?? {};
    outgoing?.end(path);
    return path;
  };
  return { held, answerNext, port: (server.address() as AddressInfo).port, arrived: () => arrived };
}

async function aConnection(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const heard = { text: "" };
  socket.on("data", (chunk) => {
    heard.text += chunk;
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return { socket, heard };
}

function gets(count: number, name = ""): string {
  return Array.from({ length: count }, (_, index) => `GET /${name}${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");
}

describe("requests that are sent ahead of their answers", () => {
  it("are served one at a time and in their order, and each connection by itself", async () => {
    const server = await aServer();
    const [one, other] = [await aConnection(server.port), await aConnection(server.port)];
    one.socket.write(gets(4, "one"));
    await expect.poll(() => server.held.length).toBe(1);
    other.socket.write(gets(1, "other"));
    await expect.poll(() => server.held.map(({ path }) => path)).toEqual(["/one0", "/other0"]);
    const paths: string[] = [];
    while (paths.length < 5) {
      await expect.poll(() => server.held.length).toBeGreaterThan(0);
      paths.push(server.answerNext());
    }
    expect(paths).toEqual(["/one0", "/other0", "/one1", "/one2", "/one3"]);
    await expect.poll(() => one.heard.text.match(/\/one\d/g)).toEqual(["/one0", "/one1", "/one2", "/one3"]);
  });

  it("are read no further than the chunk that brought the first of them, and all of them in the end", async () => {
    const server = await aServer();
    const { socket, heard } = await aConnection(server.port);
    const count = 6_000;
    socket.write(gets(count));
    await delay(300);
    expect(server.held).toHaveLength(1);
    expect(server.arrived()).toBeLessThan(4_000);
    for (let answered = 0; answered < count; ) {
      if (server.held.length === 0) await new Promise((done) => setImmediate(done));
      else {
        server.answerNext();
        answered += 1;
      }
    }
    await expect.poll(() => heard.text.endsWith(`/${count - 1}`)).toBe(true);
  });

  it("with bodies are read whole when their turn comes", async () => {
    const bodies: string[] = [];
    const turns = serializeRequests(async (incoming, outgoing) => {
      let body = "";
      for await (const chunk of incoming) body += chunk;
      bodies.push(body);
      outgoing.end();
    });
    const server = createServer(turns.serve);
    servers.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { socket } = await aConnection((server.address() as AddressInfo).port);
    const sent = ["a", "b", "c"].map((letter) => letter.repeat(200_000));
    for (const body of sent)
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(() => bodies.length).toBe(3);
    expect(bodies).toEqual(sent);
  });

  it("are bounded for all connections together: one that sends more is cut, and makes room", async () => {
    const server = await aServer(10);
    const [quiet, greedy] = [await aConnection(server.port), await aConnection(server.port)];
    quiet.socket.write(gets(5, "quiet"));
    await expect.poll(() => server.arrived()).toBe(5);
    greedy.socket.write(gets(100, "greedy"));
    await once(greedy.socket, "close");
    const later = await aConnection(server.port);
    later.socket.write(gets(7, "later"));
    await expect.poll(() => server.held.map(({ path }) => path)).toContain("/later0");
    await delay(100);
    expect([quiet.socket.destroyed, later.socket.destroyed]).toEqual([false, false]);
  });

  it("go with a connection that is cut", async () => {
    const server = await aServer();
    const { socket } = await aConnection(server.port);
    socket.write(gets(3));
    await expect.poll(() => server.arrived()).toBe(3);
    server.held.shift()?.outgoing.destroy();
    await once(socket, "close");
    await delay(100);
    expect(server.held).toHaveLength(0);
  });
});
