import type { ClientStatistics } from "../../../src/contract/service/report-answers.ts";
import { sumAmounts } from "../../../src/money.ts";
import { buckets } from "../../ledger/decide/days-past-due.ts";
import { bucketOfDueDate } from "./bucket-of-due-date.ts";
import { sharesOf } from "./rates.ts";
import type { CountedClients } from "./read-clients.ts";
import { amountWriter, frameAnswer, type ReportFrame } from "./report-frame.ts";

const STATUSES = ["active", "arrear", "default"] as const;

const CLIENT_BUCKETS = [...buckets, "written-off"] as const;

type Count = Exclude<keyof CountedClients, "status" | "dueDate" | "isWrittenOff">;

function bucketOfClients({ dueDate, isWrittenOff }: CountedClients, day: string): (typeof CLIENT_BUCKETS)[number] {
  return isWrittenOff ? "written-off" : bucketOfDueDate(dueDate, day);
}

function sumOf(rows: readonly CountedClients[], name: Count): bigint {
  return sumAmounts(rows.map((row) => row[name]));
}

/** Computes the statistics of an entity's clients, or of one, from their counts. */
export function clientStatistics(
  about: Pick<ClientStatistics, "uid" | "scope">,
  rows: readonly CountedClients[],
  frame: ReportFrame,
): ClientStatistics {
  const write = amountWriter(frame.currency);
  const { lastDay } = frame.period;
  const byStatus = STATUSES.map((status) => rows.filter((row) => row.status === status));
  const byBucket = CLIENT_BUCKETS.map((bucket) => rows.filter((row) => bucketOfClients(row, lastDay) === bucket));
  const statusShares = sharesOf(byStatus.map((group) => sumOf(group, "clients")));
  const bucketShares = sharesOf(byBucket.map((group) => sumOf(group, "clients")));
  return {
    ...about,
    ...frameAnswer(frame),
    registered: Number(sumOf(rows, "clients")),
    new: Number(sumOf(rows, "isNew")),
    active: Number(sumOf(rows, "active")),
    borrowers: Number(sumOf(rows, "borrowers")),
    dormant: Number(sumOf(rows, "dormant")),
    outstanding: write(sumOf(rows, "outstanding")),
    by_set_status: STATUSES.map((status, index) => ({
      status,
      clients: Number(sumOf(byStatus[index] ?? [], "clients")),
      share_bps: statusShares[index] ?? null,
      outstanding: write(sumOf(byStatus[index] ?? [], "outstanding")),
    })),
    by_days_past_due: CLIENT_BUCKETS.map((bucket, index) => ({
      bucket,
      clients: Number(sumOf(byBucket[index] ?? [], "clients")),
      share_bps: bucketShares[index] ?? null,
    })),
  };
}
