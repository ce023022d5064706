import { type BrokerContext, toInstant } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { lastAccountChanges } from "./account-change-store.ts";

/** Lists the last account changes of the person, each with `here`: true if this sign-in session made it. */
export function myAccountChanges({ sql }: BrokerContext): GatedHandler<"person", "myAccountChanges"> {
  return async ({ principal }) => {
    const { personId, sessionHash } = principal;
    const rows = await lastAccountChanges(sql, personId);
    return {
      body: rows.map(({ id, kind, made_at, session_hash: madeIn }) => ({
        ...{ id, kind, at: toInstant(made_at) },
        here: madeIn !== null && Buffer.compare(madeIn, sessionHash) === 0,
      })),
    };
  };
}
