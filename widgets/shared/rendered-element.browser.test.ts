import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { afterEachPage, expectEqual } from "./browser-test.ts";
import { css } from "./css.ts";
import { RenderedElement } from "./rendered-element.ts";

class Person extends RenderedElement {
  static override properties: PropertyDeclarations = { givenName: { attribute: "given-name" }, born: { type: Number } };
  declare givenName: string | null | undefined;
  declare born: number | null | undefined;
  readonly steps: string[] = [];

  protected override willUpdate(changed: ReadonlySet<string>): void {
    this.steps.push([...changed].join());
  }
  protected override render(): TemplateResult {
    return html`<p>${this.givenName} ${this.born}</p>`;
  }
  protected override firstUpdated(): void {
    this.steps.push("first");
  }
  protected override updated(): void {
    this.steps.push("updated");
  }
}

class Member extends Person {
  static override properties: PropertyDeclarations = {
    active: { type: Boolean },
    note: { attribute: false },
  };
  static override styles = [css`p { color: rgb(1, 2, 3); }`];
  declare active: boolean;
  declare note: string | undefined;

  constructor() {
    super();
    this.active = false;
  }
}

function paragraphOf(element: Element): HTMLElement {
  const paragraph = element.shadowRoot?.querySelector("p");
  if (paragraph == null) throw new Error("nothing is drawn");
  return paragraph;
}

function textOf(element: Element): string {
  return paragraphOf(element).textContent ?? "";
}

async function connected(element: Member): Promise<Member> {
  document.body.append(element);
  await element.updateComplete;
  return element;
}

describe("a rendered element", () => {
  // Before it is defined, as on a page whose script comes late.
  const early = document.createElement("x-member") as Member;
  early.setAttribute("given-name", "from the attribute");
  early.givenName = "Ana";
  early.active = true;
  document.body.append(early);
  customElements.define("x-member", Member);
  afterEachPage();

  it("keeps what a page had set before the script came, against attributes and defaults", async () => {
    await early.updateComplete;
    expectEqual(textOf(early), "Ana ");
    expectEqual(early.active, true);
    expectEqual(Object.hasOwn(early, "givenName"), false);
  });

  it("is drawn once for all that changed together, and is told what has changed", async () => {
    const element = await connected(document.createElement("x-member") as Member);
    expectEqual(element.steps, ["active", "first", "updated"]);
    element.steps.length = 0;
    element.givenName = "Ana";
    element.givenName = "Luz";
    element.born = 1980;
    element.born = 1980;
    await element.updateComplete;
    expectEqual(element.steps, ["givenName,born", "updated"]);
    expectEqual(textOf(element), "Luz 1980");
    element.givenName = "Luz";
    await element.updateComplete;
    expectEqual(element.steps.length, 2);
  });

  it("reads its attributes by type", async () => {
    const element = await connected(document.createElement("x-member") as Member);
    element.setAttribute("given-name", "Sol");
    element.setAttribute("born", "1999");
    element.setAttribute("active", "");
    element.setAttribute("note", "no attribute of this element");
    await element.updateComplete;
    expectEqual([element.givenName, element.born, element.active, element.note], ["Sol", 1999, true, undefined]);
    for (const name of ["given-name", "born", "active"]) element.removeAttribute(name);
    await element.updateComplete;
    expectEqual([element.givenName, element.born, element.active], [null, null, false]);
  });

  it("keeps what it has drawn when it is moved, and wears its style sheet", async () => {
    const element = await connected(document.createElement("x-member") as Member);
    const paragraph = paragraphOf(element);
    document.body.prepend(element);
    await element.updateComplete;
    expectEqual(paragraphOf(element) === paragraph, true);
    expectEqual(getComputedStyle(paragraph).color, "rgb(1, 2, 3)");
  });

  it("draws again after a drawing that failed", async () => {
    const element = await connected(document.createElement("x-member") as Member);
    let fault: unknown;
    Object.defineProperty(element, "render", {
      configurable: true,
      value: () => {
        throw new Error("not now");
      },
    });
    element.givenName = "Ana";
    await element.updateComplete.catch((error: unknown) => {
      fault = error;
    });
    expectEqual(String(fault), "Error: not now");
    Reflect.deleteProperty(element, "render");
    element.requestUpdate();
    await element.updateComplete;
    expectEqual(textOf(element), "Ana ");
  });
});
