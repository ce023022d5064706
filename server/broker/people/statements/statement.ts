import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";

/** A month of a person's account, as it is answered, drawn and written. */
export type Statement = AnswerOf<BrokerContract["myStatement"]>;
/** One line of it. */
export type StatementMovement = Statement["movements"][number];
