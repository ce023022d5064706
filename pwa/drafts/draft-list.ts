import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import X from "lucide-static/dist/esm/icons/x.mjs";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { formatMoney } from "../format/money-format.ts";
import { whenText } from "../language/words.ts";
import type { ConfirmPlace } from "../payment/confirm-place.ts";
import { attemptOf, type Draft, hasExpired } from "../store/draft.ts";

const draftStyles = css`
  .drafts {
    margin-top: 8px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
    overflow: clip;
  }
  .drafts li {
    display: grid;
    grid-template-columns: 1fr 48px;
    align-items: center;
    padding-inline-end: 4px;
  }
  .drafts li + li {
    border-top: 1px solid var(--cupo-line);
  }
  .draft {
    display: grid;
    grid-template-columns: 44px 1fr auto;
    gap: 2px 12px;
    align-items: baseline;
    align-content: center;
    min-height: 68px;
    padding: 12px 4px 12px 12px;
    border: 0;
    border-radius: 16px;
    background: none;
    text-align: start;
    font-weight: 400;
  }
  .draft .avatar {
    grid-area: 1 / 1 / 3 / 2;
    align-self: center;
  }
  .draft .until {
    grid-area: 2 / 2 / 3 / 4;
  }
  .draft .payee {
    overflow-wrap: anywhere;
    line-height: 1.25rem;
  }
  .draft .sum {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  @container (max-width: 18rem) {
    .draft {
      grid-template-columns: 44px minmax(0, 1fr);
    }
    .draft .until {
      grid-area: 3 / 2;
    }
  }
`;

/** Opens Confirm with a draft's attempt: nothing is paid until the person confirms there. */
function open(draft: Draft, { attempts, router }: AppContext): void {
  const attempt = attemptOf(draft);
  // An attempt that has already begun for the draft continues.
  if (attempts.find(draft.id) === undefined) attempts.keep(attempt);
  router.go("/confirm", { state: { code: attempt.code, attempt: draft.id } satisfies ConfirmPlace });
}

function row(draft: Draft, context: AppContext): TemplateResult {
  const { clock, session, store, words } = context;
  const { drafts } = words;
  const { amount, expiresAt, id, payee } = draft;
  const expired = hasExpired(draft, clock.now());
  const until = expiresAt === undefined ? "" : new Date(expiresAt * 1_000).toISOString();
  const when = until === "" ? nothing : drafts.until(whenText(until, words, clock.now()));
  const hidden = session.masked ? HIDDEN_AMOUNT : undefined;
  const sum = amount === undefined ? drafts.openAmount : (hidden ?? formatMoney(amount, session.me?.currency ?? "COP"));
  return html`<li>
    <button class="draft" ?disabled=${expired} @click=${() => open(draft, context)}>
      ${avatar(payee)}
      <span class="visually-hidden">${drafts.confirm("").trim()}</span>
      <span class="payee">${payee}</span>
      <span class=${amount === undefined ? "tiny soft" : "sum"}><bdi>${sum}</bdi></span>
      <span class="until tiny ${expired ? "warn" : "soft"}">${expired ? drafts.expired : when}</span>
    </button>
    <button class="plain round" aria-label=${drafts.drop(payee)} @click=${() => store.dropDraft(id)}>${icon(X)}</button>
  </li>`;
}

/** The codes that were scanned offline and wait to be confirmed; nothing if there are none. */
export class DraftList extends LitElement {
  static override properties = { context: { attribute: false }, drafts: { attribute: false } };
  static override styles = [base, controls, surfaces, draftStyles];

  declare context: AppContext;
  declare drafts: readonly Draft[];

  override render(): unknown {
    const { context, drafts } = this;
    if (drafts.length === 0) return nothing;
    return html`<section>
      <h2>${context.words.drafts.title}</h2>
      <ul class="drafts">
        ${drafts.map((draft) => row(draft, context))}
      </ul>
    </section>`;
  }
}

customElements.get("cupo-draft-list") ?? customElements.define("cupo-draft-list", DraftList);
