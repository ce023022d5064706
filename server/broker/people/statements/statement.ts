import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";

/** The statement of a person's month, as it is answered in JSON; PDF and CSV are made of it. */
export type Statement = AnswerOf<BrokerContract["myStatement"]>;
/** One movement of a statement. */
export type StatementMovement = Statement["movements"][number];
