import { it } from "vitest";
import { ATTACK } from "./attack-name.ts";

/**
 * A test that does harm unless a rule holds. Its last assertions say that the harm is not done, so that it fails by an
 * assertion on a version without the rule, and never because an operation or a field does not exist there: raw calls,
 * whose outcome is ignored where the operation is part of the mending. A control, which also held before, is an `it`.
 */
export function attack(name: string, run: () => Promise<void>): void {
  it(`${ATTACK}${name}`, run);
}
