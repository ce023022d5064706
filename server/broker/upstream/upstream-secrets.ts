import type { Sql } from "../../database/connect.ts";
import { createSealer } from "../../database/sealer.ts";
import type { BrokerOptions } from "../access/broker-options.ts";

/** The secrets with which the service signs what it sends to the broker, shared by all processes of the broker. */
export interface UpstreamSecrets {
  /** Keeps a secret that the service made just now, and forgets the oldest. */
  keep(secret: string): Promise<void>;
  /** Returns those that may be good, the newest first; `anew` reads one that another process has stored meanwhile. */
  get(options?: { readonly anew: boolean }): Promise<readonly string[]>;
}

/** The service signs with two at a time; processes that start together may each rotate the secret. */
const KEPT = 4;
/** The least time between two reads of newer secrets, however many wrong signatures come. */
const ANEW_MS = 1_000;

interface Known {
  readonly secrets: Promise<readonly string[]>;
  readonly at: number;
}

/**
 * Makes the store of the secrets with which the service signs its webhooks: sealed in the database, read once and then
 * cached.
 */
export function createUpstreamSecrets(
  options: Pick<BrokerOptions, "sql" | "key" | "random" | "clock" | "now" | "newId">,
): UpstreamSecrets {
  const { sql, key, random, clock, now, newId } = options;
  const sealer = createSealer(key, random);
  let known: Known | undefined;

  async function read(from: Sql): Promise<readonly string[]> {
    const rows = await from<{ id: string; sealed_secret: Uint8Array }[]>`
      select id, sealed_secret from broker.upstream_secrets order by id desc limit ${KEPT}`;
    return rows.map(({ id, sealed_secret }) =>
      Buffer.from(sealer.open("upstream-secret", id, sealed_secret)).toString("utf8"),
    );
  }

  function load(): Known {
    const secrets = read(sql);
    const loading = { secrets, at: now() };
    known = loading;
    secrets.catch(() => {
      if (known === loading) known = undefined;
    });
    return loading;
  }

  return {
    async keep(secret) {
      const id = newId();
      const sealed = sealer.seal("upstream-secret", id, Buffer.from(secret, "utf8"));
      await sql.begin(async (tx) => {
        await tx`
          insert into broker.upstream_secrets ${tx({ id, sealed_secret: sealed, created_at: clock() })}`;
        await tx`
          delete from broker.upstream_secrets where id not in (
            select id from broker.upstream_secrets order by id desc limit ${KEPT})`;
      });
      known = undefined;
    },
    get({ anew } = { anew: false }) {
      if (known === undefined || (anew && now() - known.at >= ANEW_MS)) return load().secrets;
      return known.secrets;
    },
  };
}
