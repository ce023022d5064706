import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { createShortCache } from "../../../shared/short-cache.ts";
import { askEach } from "./ask-each.ts";
import { coverName } from "./party-names.ts";

/** Asks the service for the kind of a payment. */
type AskForKind = (fields: { readonly id: string }) => Promise<{ readonly body: { readonly kind: string } }>;

/** A payment with the names of its parties. */
interface NamedPayment {
  readonly id: string;
  readonly kind: string;
  readonly reverses?: string | undefined;
  readonly from_user_id: string;
  readonly from_user: string;
  readonly from_business_name?: string | undefined;
  readonly to_user_id: string;
  readonly to_user: string;
  readonly to_business_name?: string | undefined;
}

/**
 * Masks the names of receivers of top-ups. They were found by phone or nit: neither the smallest top-up nor its refund
 * may reveal the name that a look-up hides.
 */
export interface TopUpNames {
  /** True if the payment with this id, which another payment reverses, is a top-up. */
  isTopUp(id: string, payment: AskForKind): Promise<boolean>;
  /** Masks, in payments as one user sees them, the names of others who were topped up. */
  maskIfKnown<P extends NamedPayment>(payments: readonly P[], userId: string, payment: AskForKind): Promise<P[]>;
}

const LIFE_MS = 10 * 60_000;
const MAX_KINDS = 5_000;

function coverReceiver<P extends NamedPayment>(payment: P): P {
  const { to_user: name, to_business_name: business } = payment;
  const covered = business === undefined ? {} : { to_business_name: coverName(business) };
  return { ...payment, to_user: coverName(name), ...covered };
}

function coverGiver<P extends NamedPayment>(payment: P): P {
  const { from_user: name, from_business_name: business } = payment;
  const covered = business === undefined ? {} : { from_business_name: coverName(business) };
  return { ...payment, from_user: coverName(name), ...covered };
}

/** A payment that the service does not know counts as a top-up, so that its names stay masked. */
async function load(id: string, payment: AskForKind): Promise<string> {
  try {
    return (await payment({ id })).body.kind;
  } catch (error) {
    if (error instanceof ApiError && error.code === "transaction_not_found") return "recharge";
    throw error;
  }
}

/**
 * Creates the {@link TopUpNames}, which mask the names of topped-up people in top-ups and in their refunds. To
 * recognise such a refund they ask the service for the kind of the payment that was reversed, which never changes, and
 * cache it for ten minutes.
 */
export function createTopUpNames({ now }: { readonly now: () => number }): TopUpNames {
  const kinds = createShortCache<string>({ now, lifeMs: LIFE_MS, maxKeys: MAX_KINDS });
  const isTopUp = async (id: string, payment: AskForKind): Promise<boolean> =>
    (await kinds.get(id, () => load(id, payment))).value === "recharge";
  return {
    isTopUp,
    async maskIfKnown(payments, userId, payment) {
      const received = payments.filter(({ to_user_id: to }) => to === userId);
      const reversed = received.flatMap(({ reverses }) => reverses ?? []);
      const topUps = await askEach(reversed, (id) => isTopUp(id, payment));
      return payments.map((each) => {
        if (each.kind === "recharge" && each.from_user_id === userId) return coverReceiver(each);
        const givesBack = each.to_user_id === userId && each.reverses !== undefined && topUps.get(each.reverses);
        return givesBack === true ? coverGiver(each) : each;
      });
    },
  };
}
