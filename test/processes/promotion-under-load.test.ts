import { expect, it } from "vitest";
import { ledgerFaults } from "../support/a-ledger.ts";
import { aReplicatedDatabase } from "../support/a-replicated-database.ts";
import { LONG } from "../support/long-tests.ts";
import { payUntilAnswered } from "../support/pay-until-answered.ts";
import { aService, aUser } from "../support/service.ts";

const ROUNDS = LONG ? 5 : 1;
const CLIENTS = 32;

it.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
  "no acknowledged payment is lost or made twice when the primary is killed under load: round %i",
  async (round) => {
    const database = await aReplicatedDatabase();
    const service = await aService({ database: { url: database.writableUrl, drop: database.stop.bind(database) } });
    try {
      await database.beSynchronous();
      const fintech = await service.anEntity();
      const [ana, luz] = [await aUser(fintech, { quota: 1_000_000 }), await aUser(fintech)];
      const load = payUntilAnswered(fintech.client, { name: "load", clients: CLIENTS, from: ana.id, to: luz.id });
      await expect.poll(() => load.answered.size).toBeGreaterThan(CLIENTS);
      await database.killPrimary();
      await database.promote();
      const before = load.answered.size;
      await expect.poll(() => load.answered.size).toBeGreaterThan(before + CLIENTS);
      await load.end();
      const pauseMs = load.longestPauseMs.toFixed(0);
      console.info(`round ${round}: ${before} payments, then ${load.answered.size}, ${pauseMs} ms without one`);
      expect(load.faults).toEqual([]);
      expect(load.failed).toBeGreaterThan(0);
      const rows = await service.sql<{ id: string }[]>`select id from service.transactions`;
      expect(rows.map(({ id }) => id).sort()).toEqual([...load.answered].sort());
      expect(await ledgerFaults(service.sql)).toEqual([]);
    } finally {
      await service.stop();
    }
  },
);
