import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { v7 } from "uuid";

export interface Pushed {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A push service that keeps what it is sent, and answers as it is told. */
export async function aPushService() {
  const pushed: Pushed[] = [];
  const service = { pushed, status: 201, answering: Promise.resolve() };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", async () => {
      pushed.push({ headers: request.headers, body: Buffer.concat(parts) });
      await service.answering;
      response.writeHead(service.status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push/${v7()}`;
  return Object.assign(service, { endpoint, stop: () => server.close() });
}

/** A browser's side of a subscription (RFC 8291): it alone can read what is sent. */
export function aBrowser() {
  const pair = createECDH("prime256v1");
  const point = pair.generateKeys();
  const auth = randomBytes(16);
  const derive = (key: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) =>
    Buffer.from(hkdfSync("sha256", key, salt, info, bytes));
  return {
    keys: { p256dh: point.toString("base64url"), auth: auth.toString("base64url") },
    read({ body }: Pushed): unknown {
      const salt = body.subarray(0, 16);
      const sender = body.subarray(21, 21 + (body[20] ?? 0));
      const sealed = body.subarray(21 + sender.length);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), point, sender]);
      const secret = derive(pair.computeSecret(sender), auth, info, 32);
      const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
      const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
    },
  };
}
