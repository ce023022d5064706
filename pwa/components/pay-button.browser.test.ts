import { afterEachPage, expectEqual, pause } from "../../widgets/shared/browser-test.ts";
import type { PayButton } from "./pay-button.ts";
import "./pay-button.ts";

async function aPayButton(): Promise<{ button: HTMLButtonElement; paid: () => number }> {
  const element: PayButton = document.createElement("cupo-pay-button");
  let payments = 0;
  element.label = "Pagar $ 25.000";
  element.elapsed = () => performance.now();
  element.addEventListener("pay", () => payments++);
  document.body.append(element);
  await element.updateComplete;
  const button = element.shadowRoot?.querySelector("button");
  if (button === null || button === undefined) throw new Error("the element shows no button");
  return { button, paid: () => payments };
}

describe("<cupo-pay-button>", () => {
  afterEach(afterEachPage);

  it("cannot be pressed in its first half second, and can after it", async () => {
    const { button } = await aPayButton();
    expectEqual(button.disabled, true);
    await pause(400);
    expectEqual(button.disabled, true);
    await pause(250);
    expectEqual(button.disabled, false);
  });

  it("does not pay for a press that a script makes, however it makes it", async () => {
    const { button, paid } = await aPayButton();
    await pause(650);
    button.click();
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
    button.dispatchEvent(new PointerEvent("click", { bubbles: true, composed: true, pointerId: 1 }));
    expectEqual(paid(), 0);
  });
});
