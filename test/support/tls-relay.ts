import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** A TCP proxy that answers a client's wish for TLS in PostgreSQL's place. */
export interface TlsRelay {
  readonly port: number;
  /** How many connections came through encrypted, and how many plain. */
  readonly seen: { encrypted: number; plain: number };
  close(): void;
}

/** Made for this file, signed by nobody, and good for a hundred years. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIUec/fhk+j68bCzp5owrnP9dCQ9wMwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGbm9ib2R5MCAXDTI2MTEyMzA0MTY0N1oYDzIxMjYxMDMwMDQx
NjQ3WjARMQ8wDQYDVQQDDAZub2JvZHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AATVavGxqzMkLVxw1JaujqsHgk00wgmyKUFKkhVFKZSj6fQAOdmknDNRDjSyAY2m
Kf61bsLZoaTNR2wNoAOmRdbZo1MwUTAdBgNVHQ4EFgQUzBrJ8M62iYBZMXFK3Tft
ah5hk7AwHwYDVR0jBBgwFoAUzBrJ8M62iYBZMXFK3Tftah5hk7AwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAmzDkQB96NptgzqKFOtF6GrBDFQiFG
/TFMYILzEQEEKgIhALQZ88mL5un9dmDtcOuiYL6KmkGM5T+Nn76AuTCtYu3h
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWtthiWqewUFzQi08
K+BmysJsJ8gUoqQocE2578Dkro+hRANCAATVavGxqzMkLVxw1JaujqsHgk00wgmy
KUFKkhVFKZSj6fQAOdmknDNRDjSyAY2mKf61bsLZoaTNR2wNoAOmRdbZ
-----END PRIVATE KEY-----`;
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Passes connections on to a local port: encrypted where it `offers` that, else plain. */
export async function aTlsRelay(target: number, offers: boolean): Promise<TlsRelay> {
  const seen = { encrypted: 0, plain: 0 };
  const pass = (client: Socket): void => {
    const server = createConnection(target, "127.0.0.1");
    client.on("close", () => server.destroy()).on("error", () => server.destroy());
    server.on("close", () => client.destroy()).on("error", () => client.destroy());
    client.pipe(server).pipe(client);
  };
  const relay = createServer((client) => {
    client.once("data", (first) => {
      if (!first.equals(TLS_REQUEST)) {
        seen.plain += 1;
        client.unshift(first);
        pass(client);
      } else if (offers) {
        seen.encrypted += 1;
        client.write("S");
        pass(new TLSSocket(client, { isServer: true, cert: CERTIFICATE, key: KEY }));
      } else client.write("N");
    });
    client.on("error", () => undefined);
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  const address = relay.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return { port: address.port, seen, close: () => void relay.close() };
}
