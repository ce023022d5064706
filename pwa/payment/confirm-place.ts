import type { CodeInput } from "../store/attempt-store.ts";

/** State of Confirm's history entry, so that a reload resumes the same attempt. */
export interface ConfirmPlace {
  readonly code: CodeInput;
  /** Key of the attempt under way, once there is one. */
  readonly attempt?: string;
}

/** True if the state of a history entry carries a code to pay. */
export function isConfirmPlace(state: unknown): state is ConfirmPlace {
  const { code, attempt } = (state ?? {}) as Partial<Record<keyof ConfirmPlace, unknown>>;
  if (typeof code !== "object" || code === null) return false;
  if (attempt !== undefined && typeof attempt !== "string") return false;
  return ["payload", "reference"].some((name) => typeof (code as Record<string, unknown>)[name] === "string");
}
