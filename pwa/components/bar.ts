import { css, html, type TemplateResult } from "lit";

/** Styles of {@link bar}. */
export const barStyles = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    width: 100%;
    max-width: 560px;
    margin: 0 auto;
    padding: 8px 16px;
    border-bottom: 1px solid var(--cupo-line);
    background: var(--cupo-surface);
    font-size: 0.9375rem;
  }
  .bar span {
    flex: 1 1 8rem;
  }
`;

/** A button of a bar. */
interface BarAction {
  readonly name: string;
  readonly onPress: () => void;
}

/** Renders a notice above the page: no connection, a newer version, a device that stores nothing. */
export function bar(text: string, ways: readonly BarAction[] = []): TemplateResult {
  return html`<div class="bar" role="status">
    <span>${text}</span>
    ${ways.map(({ name, onPress }) => html`<button class="link" @click=${onPress}>${name}</button>`)}
  </div>`;
}
