import { ApiError } from "../../src/contract/errors.ts";

/** Stands in for a handler that is being written. */
export const notYet = async (): Promise<never> => {
  throw new ApiError("not_implemented");
};
