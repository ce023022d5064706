import type { Phone } from "./phone.ts";

/**
 * Counts the person's presses on a phone from now on, on this page and those that follow; of the keys only Enter is
 * one, because what is typed has to be typed. The result returns how many there were since it was last asked.
 */
export async function countPresses({ page }: Pick<Phone, "page">): Promise<() => number> {
  let presses = 0;
  await page.exposeFunction("pressed", () => {
    presses += 1;
  });
  const listen = (): void => {
    const { pressed } = globalThis as unknown as { readonly pressed: () => void };
    addEventListener("pointerdown", ({ isTrusted }) => isTrusted && pressed(), true);
    addEventListener("keydown", ({ isTrusted, key }) => isTrusted && key === "Enter" && pressed(), true);
  };
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => {
    const before = presses;
    presses = 0;
    return before;
  };
}
