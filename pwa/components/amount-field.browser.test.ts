import { afterEachPage, expectAccessible, expectEqual } from "../../widgets/shared/browser-test.ts";
import type { AmountField } from "./amount-field.ts";
import "./amount-field.ts";

async function anAmountField(): Promise<{ element: AmountField; input: HTMLInputElement }> {
  const element = document.createElement("cupo-amount-field");
  element.label = "Monto";
  document.body.append(element);
  await element.updateComplete;
  const input = element.shadowRoot?.querySelector("input");
  if (input === null || input === undefined) throw new Error("the element shows no field");
  input.focus();
  return { element, input };
}

/** Types at the caret as a keyboard does. */
function type(input: HTMLInputElement, text: string): void {
  const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0];
  input.setRangeText(text, start, end, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
}

describe("<cupo-amount-field>", () => {
  afterEach(afterEachPage);

  it("groups what is typed and tells the amount", async () => {
    const { element, input } = await anAmountField();
    for (const digit of "25000") type(input, digit);
    expectEqual([input.value, element.amount], ["25.000", 25_000]);
  });

  it("submits the form around it by Enter, as the key of a phone says", async () => {
    const { element, input } = await anAmountField();
    const form = document.createElement("form");
    let submitted = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submitted++;
    });
    document.body.append(form);
    form.append(element);
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "5", bubbles: true, composed: true }));
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true }));
    expectEqual([submitted, input.enterKeyHint], [1, "go"]);
  });

  it("leaves the caret behind the digit that was typed, also in the middle", async () => {
    const { input } = await anAmountField();
    for (const digit of "25000") type(input, digit);
    input.setSelectionRange(1, 1);
    type(input, "9");
    expectEqual([input.value, input.selectionStart], ["295.000", 2]);
    type(input, "1");
    expectEqual([input.value, input.selectionStart], ["2.915.000", 4]);
  });

  it("shows an amount that it is given as if it had been typed", async () => {
    const { element, input } = await anAmountField();
    element.amount = 1_200.5;
    await element.updateComplete;
    expectEqual([input.value, element.amount], ["1.200,5", 1_200.5]);
  });

  it("reads no amount from what is none, and shows it as it was typed", async () => {
    const { element, input } = await anAmountField();
    type(input, "$ 1e3-");
    await element.updateComplete;
    expectEqual([input.value, element.amount], ["$ 1e3-", undefined]);
    expectEqual(input.getAttribute("aria-invalid"), "true");
  });

  it("axe finds nothing, with a fault and without", async () => {
    const { element } = await anAmountField();
    for (const fault of ["", "Escribe un monto mayor que cero."]) {
      element.fault = fault;
      await element.updateComplete;
      await expectAccessible(element);
    }
  });
});
