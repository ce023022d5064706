import type { BrokerContract } from "../../../src/contract/broker.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";

/** A month of a person's account, as it is answered, drawn and written. */
export type Statement = AnswerOf<BrokerContract["myStatement"]>;
/** One line of it. */
export type StatementMovement = Statement["movements"][number];
