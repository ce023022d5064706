import * as v from "valibot";
import { operation } from "../shared/operation.ts";

export const voidIdempotencyKey = operation({
  name: "voidIdempotencyKey",
  method: "PUT",
  path: "/void-idempotency-key",
  tag: "Transactions",
  summary: "Make certain that a request whose answer was lost does nothing any more",
  description:
    "Extension. `void`: no request of that operation with that key was decided, and none will be: a copy that is " +
    "still on its way is 409 `idempotency_key_void`, and moves nothing. `used`: one was decided before; send it " +
    "again, with the same key and body, to be told its outcome. Both are written in a commit of the ledger, so that " +
    "they hold whatever happens afterwards, for the 30 days that a key is kept. PUT is the same once or twice, so it " +
    "takes no Idempotency-Key.",
  access: "bearer",
  scope: "pay",
  body: v.strictObject({
    operation: v.picklist([
      "createTransaction",
      "createPaymentTransaction",
      "createRechargeTransaction",
      "createLedgerTransaction",
      "settleTransaction",
      "reverseTransaction",
    ]),
    key: v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters")),
  }),
  answer: v.object({ state: v.picklist(["void", "used"]) }),
  status: 200,
  writes: true,
  errors: [],
});
