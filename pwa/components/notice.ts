import { css, html, type TemplateResult } from "lit";
import { icon } from "../design/icon.ts";
import type { Sentence } from "../language/words.ts";

/** Styles of {@link notice}. */
export const noticeStyles = css`
  .notice {
    display: grid;
    justify-items: center;
    gap: 8px;
    padding: 32px 16px;
    text-align: center;
  }
  .notice .sign {
    display: grid;
    place-items: center;
    width: 64px;
    height: 64px;
    margin-bottom: 8px;
    border: 1px solid var(--cupo-line);
    border-radius: 20px;
    background: var(--cupo-surface);
    font-size: 24px;
    color: var(--cupo-ink-soft);
  }
  .notice .sign.bad {
    color: var(--cupo-bad);
  }
  .notice .sign.warn {
    color: var(--cupo-warn);
  }
  .notice h1,
  .notice h2 {
    font-size: 1.375rem;
    line-height: 1.75rem;
    font-weight: 650;
    text-wrap: balance;
  }
  .notice p {
    max-width: 36ch;
    color: var(--cupo-ink-soft);
    text-wrap: pretty;
  }
  .notice .way {
    margin-top: 16px;
  }
`;

/** Options of {@link notice}: its tone, the level of its heading, and the element of its one action (`way`). */
export interface NoticeOptions {
  readonly tone?: "calm" | "warn" | "bad";
  /** A notice that is the whole page carries its heading. */
  readonly heading?: 1 | 2;
  readonly way?: unknown;
}

/** Renders an empty, offline or failed state: one icon, the event, the advice, and one action. */
export function notice(sign: string, sentence: Sentence, options: NoticeOptions = {}): TemplateResult {
  const { tone = "calm", heading = 2, way } = options;
  const title = heading === 1 ? html`<h1 tabindex="-1">${sentence.title}</h1>` : html`<h2>${sentence.title}</h2>`;
  return html`<div class="notice">
    <div class="sign ${tone}">${icon(sign)}</div>
    ${title}
    <p>${sentence.text}</p>
    ${way === undefined ? "" : html`<div class="way">${way}</div>`}
  </div>`;
}
