import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

/** Long enough for a server on this machine to have read the headers and found out who asks. */
const ADMITTED_MS = 500;

/** A request whose headers and first byte were sent; what is left of its body waits. */
export interface HeldRequest {
  /** Sends the rest; returns the answer. */
  finish(): Promise<{ readonly status: number; readonly body: ReturnType<typeof JSON.parse> }>;
}

/** Sends a JSON request but for the rest of its body, and waits until the server must have admitted it. */
export async function holdRequest(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
): Promise<HeldRequest> {
  const text = JSON.stringify(body);
  const length = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  const sent = request(url, { method: "POST", headers: { ...headers, ...length } });
  sent.write(text.slice(0, 1));
  await delay(ADMITTED_MS);
  return {
    async finish() {
      sent.end(text.slice(1));
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      return { status: answer.statusCode ?? 0, body: await json(answer) };
    },
  };
}
