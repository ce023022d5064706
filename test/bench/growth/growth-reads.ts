import type { Client } from "../../../src/client.ts";
import type { ServiceContract } from "../../../src/contract/service/service.ts";
import type { GrownHistory } from "./grow-history.ts";

/** The client, history and days that a read is made with. */
export interface Asked {
  readonly client: Client<ServiceContract>;
  readonly history: GrownHistory;
  /** The first and the last business day of the year. */
  readonly from: string;
  readonly to: string;
}

/** One read whose cost should not grow with the history. */
export interface GrowthRead {
  readonly name: string;
  /** Finds what the read needs, once: the cursor of a far page. */
  readonly prepare: (asked: Asked) => Promise<() => Promise<unknown>>;
}

const PAGE = "25";
const FAR = 100;

async function farPage({ client, history }: Asked): Promise<string> {
  const query = { "user-id": history.shopId, limit: PAGE };
  let cursor: string | undefined;
  for (let page = 1; page < FAR; page++) {
    cursor = (await client.transactionHistory({ query: cursor === undefined ? query : { ...query, cursor } }))
      .nextCursor;
    if (cursor === undefined) throw new Error(`there is no page ${page + 1}: make more transactions`);
  }
  return cursor as string;
}

/** Every read of the bench, in the order in which they are printed. */
export const growthReads: readonly GrowthRead[] = Object.freeze([
  {
    name: "history, page 1",
    prepare: async ({ client, history }: Asked) => {
      return () => client.transactionHistory({ query: { "user-id": history.shopId, limit: PAGE } });
    },
  },
  {
    name: `history, page ${FAR}`,
    prepare: async (asked: Asked) => {
      const query = { "user-id": asked.history.shopId, limit: PAGE, cursor: await farPage(asked) };
      return () => asked.client.transactionHistory({ query });
    },
  },
  {
    name: "transaction summary",
    prepare: async ({ client, history }: Asked) => {
      return () => client.transactionSummary({ query: { "user-id": history.payerId } });
    },
  },
  {
    name: "transaction statistics, a year",
    prepare: async ({ client, history, from, to }: Asked) => {
      const query = { uid: history.entityId, "from-date": from, "to-date": to };
      return () => client.getTransactionStatistics({ query });
    },
  },
  {
    name: "harvest statistics, a year",
    prepare: async ({ client, history, from, to }: Asked) => {
      const query = { uid: history.entityId, "from-date": from, "to-date": to };
      return () => client.getHarvestStatistics({ query });
    },
  },
  {
    name: "client statistics, a year",
    prepare: async ({ client, history, from, to }: Asked) => {
      const query = { uid: history.entityId, "from-date": from, "to-date": to };
      return () => client.getClientStatistics({ query });
    },
  },
  {
    // That of a month that is over is kept once a task has closed the month.
    name: "accounting report of the open month",
    prepare: async ({ client, to }: Asked) => {
      return () => client.getAccountingReport({ query: { year: to.slice(0, 4), month: to.slice(5, 7) } });
    },
  },
]);
