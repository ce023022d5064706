import type { BlockList } from "node:net";
import type { BrokerContract } from "../../../src/contract/broker/broker.ts";
import type { Installation } from "../../../src/installation.ts";
import type { Sql } from "../../database/connect.ts";
import type { HttpLog } from "../../http/http-log.ts";
import type { HttpOptions } from "../../http/http-options.ts";
import type { WebhookNetworkOptions } from "../../webhooks/webhook-network.ts";
import type { WebhookOptions } from "../../webhooks/webhook-options.ts";
import type { StreamLimits } from "./notifiers.ts";
import type { Principal } from "./principal.ts";

/** Options of the upstream service: its addresses, and the credentials of the broker's API client there. */
export interface UpstreamOptions {
  readonly baseUrl: string;
  /** Address of the token endpoint's host. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default 10 000 ms for one try. */
  readonly timeoutMs?: number;
  /**
   * The installation that the service must report before it is called. Default: the service is not asked, because it is
   * configured alike.
   */
  readonly installation?: Installation;
}

/** Every option of the broker: tests and production use the same. */
export interface BrokerOptions {
  readonly sql: Sql;
  readonly upstream: UpstreamOptions;
  /** Where people and pages reach the broker, such as `http://localhost:4000`. */
  readonly publicOrigin: string;
  /** Of Cupo, as the document of the merchant interface names it. */
  readonly version: string;
  /** ISO 4217 code of the deployment's currency. */
  readonly currency: string;
  /** IANA name of the business time zone, in which a till's day is counted. */
  readonly timeZone: string;
  /** Scheme GUID that distinguishes our payment codes from foreign ones. */
  readonly qrGuid: string;
  /** 32 secret bytes: widget tokens, demo keys and upstream idempotency keys are derived from them, secrets sealed. */
  readonly key: Uint8Array;
  readonly clock: () => Date;
  /** Milliseconds from any fixed point; never goes back. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** A new UUIDv7. */
  readonly newId: () => string;
  /** Resolves after that many milliseconds: the pause between two tries. */
  readonly wait: (delayMs: number) => Promise<void>;
  readonly log: HttpLog;
  /** True if demo people may sign in and the demo shop is open, to this machine only. */
  readonly demo: boolean;
  /** Folder of the built front end: `app`, `widgets`, `demo` below it. */
  readonly staticRoot: string;
  /** Limits of the streams of hints, where they are not the default. */
  readonly streams?: Partial<StreamLimits>;
  /** Options of merchants' webhooks, and how often the broker polls for payments (default: every 10 s). */
  readonly merchantWebhooks?: WebhookOptions & { readonly watchEveryMs?: number };
  /** Network options of push services. Default: public addresses only. */
  readonly pushNetwork?: WebhookNetworkOptions;
  readonly trustedProxies?: BlockList;
  readonly limits?: HttpOptions<BrokerContract, Principal>["limits"];
  readonly metrics?: HttpOptions<BrokerContract, Principal>["metrics"];
  readonly assumedPeer?: HttpOptions<BrokerContract, Principal>["assumedPeer"];
}
