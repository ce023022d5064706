import { css } from "lit";

/**
 * Styles of the sign-in page: on a phone the buttons are under the thumb, on a laptop all stands together in the
 * middle.
 */
export const welcomeStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100dvh;
    padding: 16px 16px calc(24px + env(safe-area-inset-bottom));
  }
  .hero {
    flex: 1;
    display: grid;
    align-content: center;
    gap: 12px;
    padding: 24px 0;
  }
  .hero .mark {
    width: 72px;
    height: 72px;
    margin-bottom: 8px;
    color: var(--cupo-brand);
  }
  h1 {
    font-size: 2.125rem;
    line-height: 2.5rem;
    letter-spacing: -0.02em;
    text-wrap: balance;
  }
  :host([asking]) {
    visibility: hidden;
  }
  .failure:not(:empty) {
    padding-bottom: 12px;
  }
  .invited {
    padding: 12px 8px 0;
    text-align: center;
    text-wrap: balance;
  }
  .lost {
    padding-top: 4px;
    text-align: center;
  }
  .lost summary {
    display: inline-flex;
    align-items: center;
    min-height: 48px;
    padding: 0 8px;
    color: var(--cupo-brand);
    font-size: 0.9375rem;
    font-weight: 600;
    cursor: pointer;
  }
  .lost ul {
    display: grid;
    gap: 16px;
    margin-bottom: 12px;
    text-align: start;
  }
  .lost button {
    width: 100%;
    margin-top: 8px;
  }
  .people {
    display: grid;
    gap: 8px;
    align-content: start;
    min-height: 16px;
    padding-top: 20px;
  }
  .person {
    justify-content: flex-start;
    gap: 12px;
    min-height: 64px;
    padding: 8px 12px;
    border-radius: 16px;
    text-align: start;
    font-weight: 400;
  }
  .person > span:nth-child(2) {
    flex: 1;
  }
  .name {
    display: block;
    font-size: 0.9375rem;
    font-weight: 600;
  }
  @media (min-width: 600px) and (min-height: 600px) {
    :host {
      justify-content: center;
      width: 100%;
      max-width: 440px;
      margin: 0 auto;
    }
    .hero {
      flex: none;
      justify-items: center;
      text-align: center;
    }
  }
`;
