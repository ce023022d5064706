import { answerParent } from "./child.ts";
import type { LoadResult } from "./run-workers.ts";
import { runTpcB, type TpcBLoad } from "./tpc-b.ts";
import { runTransfers, type TransferLoad } from "./transfers.ts";

/** The functions that the load generator's process offers. */
export type LoadCalls = {
  readonly tpcB: (load: TpcBLoad) => Promise<LoadResult>;
  readonly transfers: (load: TransferLoad) => Promise<LoadResult>;
};

const calls: LoadCalls = {
  tpcB: (load) => runTpcB(load, Math.random),
  transfers: (load) => runTransfers(load, Math.random),
};

answerParent(calls);
