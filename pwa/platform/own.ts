/** Type of the event that a window gets for a failure that no caller handles; {@link AppBars} shows it. */
export const FAILURE = "cupo-failure";

/** Reports a failure that no caller handles, and has it shown above the page. */
function fail(error: unknown): void {
  reportError(error);
  dispatchEvent(new Event(FAILURE));
}

/** Takes a promise that its caller does not wait for: its failure is reported and shown, as by {@link fail}. */
export function own(promise: Promise<unknown> | undefined): void {
  promise?.catch(fail);
}
