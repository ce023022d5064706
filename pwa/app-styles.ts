import { css } from "lit";

/** Styles of the app's root element. */
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
