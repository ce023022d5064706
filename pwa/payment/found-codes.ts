import type { ShownProblem } from "../platform/problem.ts";
import type { CodeInput } from "../store/attempt-store.ts";
import { eachOnce, readCodes } from "./read-code.ts";

/** The code to confirm, or what a text is instead; neither while the person chooses. */
export interface Found {
  readonly confirm?: CodeInput;
  readonly problem?: ShownProblem;
}

/** The payment codes that Scan has found, by camera or from what the person gave, until one is confirmed. */
export class FoundCodes {
  #choices: readonly CodeInput[] = [];
  #isConfirmed = false;

  /** The codes among which the person chooses; none unless several were found at once. */
  get choices(): readonly CodeInput[] {
    return this.#choices;
  }

  /**
   * Takes the texts of codes before the camera. While the person chooses, nothing is confirmed or taken away by it, and
   * a further code comes behind the others.
   */
  seen(texts: readonly string[], guid: string): Found {
    if (this.#choices.length === 0) return this.given(texts, guid);
    this.#choices = eachOnce([...this.#choices, ...readCodes(texts, guid).codes]);
    return {};
  }

  /** Takes the texts that the person gave, by an image or in words. */
  given(texts: readonly string[], guid: string): Found {
    const { codes, problem } = readCodes(texts, guid);
    const [only] = codes;
    if (only !== undefined && codes.length === 1) return this.confirm(only);
    if (codes.length > 1) this.#choices = codes;
    return problem === undefined || codes.length > 1 ? {} : { problem };
  }

  /** Returns a code as the one to confirm, once: a code in view is found again until Confirm is open. */
  confirm(code: CodeInput): Found {
    if (this.#isConfirmed) return {};
    this.#isConfirmed = true;
    return { confirm: code };
  }
}
