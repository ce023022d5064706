import type { BlockList } from "node:net";
import type { BrokerContract } from "../../src/contract/broker.ts";
import type { Installation } from "../../src/installation.ts";
import type { Sql } from "../database/connect.ts";
import type { HttpLog } from "../http/http-log.ts";
import type { HttpOptions } from "../http/http-options.ts";
import type { WebhookNetworkOptions } from "../webhooks/webhook-network.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import type { Principal } from "./principals/principal.ts";
import type { StreamLimits } from "./streams/hint-streams.ts";

/** The service that the broker stands before: its addresses, and the one API client that it is there. */
export interface UpstreamOptions {
  readonly baseUrl: string;
  /** Address of the token endpoint's host. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default 10 000 ms for one try. */
  readonly timeoutMs?: number;
  /**
   * The installation that the service must report before it is called. Default: it is not asked, being configured
   * alike.
   */
  readonly installation?: Installation;
}

/** Every option of the broker: what the tests run is what ships. */
export interface BrokerOptions {
  readonly sql: Sql;
  readonly upstream: UpstreamOptions;
  /** Where people and pages reach the broker, such as `http://localhost:4000`. */
  readonly publicOrigin: string;
  /** ISO 4217 code of the deployment's currency. */
  readonly currency: string;
  /** IANA name of the business time zone: a till's day is that of the deployment. */
  readonly timeZone: string;
  /** Scheme GUID by which our payment codes are told from foreign ones. */
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
  /** Whether demo people may sign in and the demo shop is open, to this machine only. */
  readonly demo: boolean;
  /** Folder of the built front end: `app`, `widgets`, `demo` below it. */
  readonly staticRoot: string;
  /** How long and how many streams of hints there may be, where it is not as usual. */
  readonly streams?: Partial<StreamLimits>;
  /** How merchants' webhooks are sent, and how often the broker looks by itself for payments (default: each 10 s). */
  readonly merchantWebhooks?: WebhookOptions & { readonly watchEveryMs?: number };
  /** Where push services may be, where it is not as usual: at public addresses alone. */
  readonly pushNetwork?: WebhookNetworkOptions;
  readonly trustedProxies?: BlockList;
  readonly limits?: HttpOptions<BrokerContract, Principal>["limits"];
  readonly metrics?: HttpOptions<BrokerContract, Principal>["metrics"];
  readonly assumedPeer?: HttpOptions<BrokerContract, Principal>["assumedPeer"];
}
