import { css } from "lit";

/**
 * Styles of the app's root element. Pages ask how many letters fit side by side (`@container (max-width: 18rem)`): that
 * many as on a phone whose person chose letters of half as much again, or more.
 */
export const appStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100dvh;
  }
  :host([away]) {
    visibility: hidden;
  }
  main {
    container-type: inline-size;
    flex: 1;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
    width: 100%;
    max-width: 560px;
    margin: 0 auto;
    padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left);
  }
  .with-tabs {
    padding-bottom: calc(var(--cupo-tab-bar) + 24px + env(safe-area-inset-bottom));
  }
`;
