import { css } from "./css.ts";

/** Declarations of what is chosen among others, in app and elements; its colour is that of the brand. */
export const selectedStyle = css`
  border-color: currentColor;
  box-shadow: inset 0 0 0 1px;
`;
