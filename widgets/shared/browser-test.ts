/** Fails unless something holds; says what was found instead. */
export function expectTrue(holds: boolean, found: unknown): void {
  if (!holds) throw new Error(`expected otherwise: ${String(found)}`);
}

/** Fails unless two values are the same when written as JSON. */
export function expectEqual(found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, and found ${left}`);
}

/** Leaves the page empty for the next test. */
export function afterEachPage(): void {
  document.body.replaceChildren();
}
