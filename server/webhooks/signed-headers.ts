import { Webhook } from "standardwebhooks";

/** A webhook message as it is signed. */
export interface Message {
  /** `webhook-id`: the same for every attempt. */
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** Returns the headers of a webhook message (Standard Webhooks), with one signature for each of the live secrets. */
export function signedHeaders(secrets: readonly string[], { id, at, body }: Message): Readonly<Record<string, string>> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
