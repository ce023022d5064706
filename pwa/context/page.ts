import { LitElement } from "lit";
import type { AppContext } from "./app-context.ts";

/** Base class of the app's pages: an element that is given the context before it is shown. */
export abstract class Page extends LitElement {
  static override properties = { context: { attribute: false } };

  declare context: AppContext;

  /** The page's name, for the window's title. */
  abstract get name(): string;

  /** The choices of the person on the page, such as a filter; they are set again where the person comes back. */
  get choices(): unknown {
    return undefined;
  }

  set choices(_choices: unknown) {
    // Most pages offer none.
  }

  /** Moves the focus to the page's heading, where reading begins after a navigation. */
  focusHeading(): void {
    this.renderRoot.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }
}
