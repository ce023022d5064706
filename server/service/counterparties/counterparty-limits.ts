import type * as contract from "../../../src/contract/service/counterparty-limits.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount } from "../../../src/money.ts";
import { type Exposure, exposureOf } from "../../ledger/model/exposure.ts";
import { loadExposures } from "../../ledger/storage/load-exposures.ts";
import type { ApiCaller, Currency, ReadContext } from "../shared/service-context.ts";

/** Another entity, and what each of the two owes the other. */
export interface Counterparty {
  readonly id: string;
  readonly name: string;
  /** Its exposure to the caller. */
  readonly theirs: Exposure;
  /** The caller's exposure to it. */
  readonly own: Exposure;
}

function figuresOf(exposure: Exposure, { digits }: Currency): contract.CounterpartyLimit["own"] {
  const { limit, held, others } = exposure;
  const total = exposureOf(exposure);
  return {
    limit: formatAmount(limit, digits),
    exposure: formatAmount(total, digits),
    held: formatAmount(held + others.held, digits),
    available: formatAmount(limit - total, digits),
  };
}

/** Builds the answer that shows an entity the limits and exposures between it and a counterparty, both ways. */
export function limitAnswer({ id, name, theirs, own }: Counterparty, currency: Currency): contract.CounterpartyLimit {
  return {
    counterparty_id: id,
    counterparty: name,
    is_set: theirs.setLimit !== null,
    ...figuresOf(theirs, currency),
    own: figuresOf(own, currency),
  };
}

/** Reads every entity that the given one ever dealt with, by name. */
async function readCounterparties(
  { sql, counterpartyLimit: defaultLimit }: ReadContext,
  entityId: string,
): Promise<readonly Counterparty[]> {
  return sql.begin("isolation level repeatable read read only", async (tx) => {
    const others = await tx<Pick<Counterparty, "id" | "name">[]>`
      select id, name from service.entities where id in (
        select debtor_id from service.counterparty_limits where creditor_id = ${entityId}
        union select creditor_id from service.counterparty_limits where debtor_id = ${entityId})
      order by name, id`;
    const theirs = others.map(({ id }) => ({ creditorId: entityId, debtorId: id }));
    const own = others.map(({ id }) => ({ creditorId: id, debtorId: entityId }));
    const reading = { slot: 0, defaultLimit, whole: "all", locks: false } as const;
    const exposures = [...(await loadExposures(tx, [...theirs, ...own], reading)).values()];
    return others.flatMap(({ id, name }) => {
      const theirs = exposures.find(({ debtorId }) => debtorId === id);
      const own = exposures.find(({ creditorId }) => creditorId === id);
      return theirs === undefined || own === undefined ? [] : [{ id, name, theirs, own }];
    });
  });
}

/** Lists the entities that the caller's ever dealt with, with limits and exposures both ways. */
export function counterpartyLimits(service: ReadContext): Handler<typeof contract.counterpartyLimits, ApiCaller> {
  return async ({ principal }) => {
    const counterparties = await readCounterparties(service, principal.entityId);
    return { body: counterparties.map((each) => limitAnswer(each, service.currency)) };
  };
}
