import { type BrokerContext, toInstant } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { changesForUser } from "../../merchants/change-store.ts";
import { countNewPasskeys } from "./passkey-store.ts";

/**
 * Answers the signed-in person's name, quota, score and status, the time from which this device may pay if it may not
 * yet, and the numbers of other new devices and of waiting selling requests.
 */
export function me({ sql, currency, clock }: BrokerContext): GatedHandler<"person", "me"> {
  return async ({ principal }, service) => {
    const { body } = await service.user({});
    const { personId, passkeyId, mayPayFrom } = principal;
    const newDevices = await countNewPasskeys(sql, personId, passkeyId, clock());
    const selling = await changesForUser(sql, principal.userId, clock());
    const { id, name, business_name, quota, quota_available, score, status } = body;
    return {
      body: {
        ...{ id, name, business_name, quota, quota_available, score, status },
        currency: currency.code,
        as_of: toInstant(clock()),
        demo: principal.method === "button",
        ...(mayPayFrom === undefined ? {} : { may_pay_from: toInstant(mayPayFrom) }),
        new_devices: newDevices,
        ...(selling.length === 0 ? {} : { selling_requests: selling.length }),
      },
    };
  };
}
