import { rmSync } from "node:fs";
import type { Sql } from "../database/connect.ts";
import { keptApiClient } from "../runtime/own-api-client.ts";
import { disableApiClient } from "../service/api-clients/change-api-client.ts";
import { recordAccess } from "../service/shared/record-access.ts";
import { DEMO_CLIENT, demoFile } from "./demo-file.ts";

/** The dependencies of retiring the demo's API client. */
export interface RetireDemoOptions {
  readonly sql: Sql;
  readonly dataDir: string;
  readonly clock: () => Date;
}

/**
 * Disables the API client that the demo made, and removes `demo.json`, which holds its secret; called at a start
 * without the demo, because both stay behind in the data folder. The next start with the demo makes another client.
 */
export async function retireDemo({ sql, dataDir, clock }: RetireDemoOptions): Promise<void> {
  rmSync(demoFile(dataDir), { force: true });
  const own = keptApiClient(dataDir, DEMO_CLIENT);
  if (own === undefined) return;
  await sql.begin(async (tx) => {
    const now = clock();
    const [live] = await tx`select from service.api_clients where id = ${own.clientId} and disabled_at is null`;
    if (live === undefined) return;
    await disableApiClient(tx, own, now);
    const subject = own.clientId;
    await recordAccess(
      tx,
      { madeBy: "start", requestId: null, action: "disableApiClient", subject, outcome: "done" },
      now,
    );
  });
}
