import type { Answer } from "../../../../src/client.ts";
import type { ServiceContract } from "../../../../src/contract/service/service.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";

/** The name of an operation of the service. */
export type UpstreamName = keyof ServiceContract;

/** One way to call the service: authorised, bounded in time, tried again where that is safe. */
export interface Upstream {
  /**
   * Throws one of our `ApiError`s when it fails. Fields are those of the path, and the query of a read or the body of
   * a write. With `takesRecent`, an answer that the broker got within the last second will do.
   */
  call<N extends UpstreamName>(
    name: N,
    fields: Readonly<Record<string, unknown>>,
    idempotencyKey?: string,
    takesRecent?: boolean,
  ): Promise<Answer<AnswerOf<ServiceContract[N]>>>;
}
