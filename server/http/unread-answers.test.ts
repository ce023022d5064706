import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createUnreadAnswers, shareBody } from "./unread-answers.ts";

/** More than both ends of a connection buffer. */
const ANSWER = Buffer.alloc(32 * 1024 * 1024);

let server: Server;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function start(limit: number, isShared = false): Promise<void> {
  const unread = createUnreadAnswers(limit);
  server = createServer((_, outgoing) => {
    if (isShared) shareBody(outgoing);
    outgoing.end(ANSWER);
    unread.add(outgoing);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
}

/** A client that reads its answer only once it is called. */
async function aReader() {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  sockets.push(socket);
  socket.on("error", () => undefined);
  const served = once(server, "request");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await served;
  return async (): Promise<boolean> => {
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    await once(socket.resume(), "close");
    return bytes > ANSWER.length;
  };
}

describe("unread answers", () => {
  it("past the limit are cut, those first that wait for longest", async () => {
    await start(ANSWER.length * 2.5);
    const readers = [];
    for (let number = 0; number < 4; number += 1) readers.push(await aReader());
    const complete = await Promise.all(readers.map((read) => read()));
    expect(complete).toEqual([false, false, true, true]);
  });

  it("count no more when they were read", async () => {
    await start(ANSWER.length * 1.5);
    for (let number = 0; number < 3; number += 1) expect(await (await aReader())()).toBe(true);
  });

  it("that are one buffer for all count for nothing", async () => {
    await start(1, true);
    const readers = [await aReader(), await aReader()];
    expect(await Promise.all(readers.map((read) => read()))).toEqual([true, true]);
  });
});
