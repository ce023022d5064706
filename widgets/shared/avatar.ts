import { html, type TemplateResult } from "lit";
import { hueOf, initial } from "../../src/avatar.ts";
import { css } from "./css.ts";

/**
 * Styles of {@link avatar}, in app and elements. Browsers without `light-dark()` (before 2024) show it without a tint,
 * and so does the avatar of an unknown name.
 */
export const avatarStyles = css`
  .avatar {
    display: grid;
    place-content: center;
    flex: none;
    width: 44px;
    height: 44px;
    border: 1px solid var(--line, var(--cupo-line));
    border-radius: 12px;
    background: light-dark(oklch(93% 0.04 var(--hue)), oklch(30% 0.05 var(--hue)));
    color: light-dark(oklch(41% 0.1 var(--hue)), oklch(88% 0.08 var(--hue)));
    font-weight: 600;
  }
  .avatar.large {
    width: 64px;
    height: 64px;
    border-radius: 20px;
    font-size: 1.3em;
  }
`;

/** Renders the avatar letter of a person or shop, in the tint of the name; an empty place while the name is unknown. */
export function avatar(name: string | undefined, size: "" | "large" = ""): TemplateResult {
  // Set through CSSOM: a strict CSP refuses style attributes.
  const tint = name === undefined ? "" : `--hue:${hueOf(name)}`;
  const letter = name === undefined ? "" : initial(name);
  return html`<span class="avatar ${size}" aria-hidden="true" .style=${tint}>${letter}</span>`;
}
