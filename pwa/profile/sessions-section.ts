import { html, nothing, type TemplateResult } from "lit";
import type { SignInSession } from "../../src/contract/broker/passkeys.ts";
import { wordsOf } from "../language/language.ts";
import { whenText } from "../language/words.ts";
import { prove } from "../passkey/prove.ts";
import { Section } from "./section.ts";

/** The action under way while all sessions but the present one are ended; any other is a session's id. */
const OTHERS = "others";

/**
 * Profile section with the person's sign-in sessions: with a passkey, those but the present one can be ended from here,
 * one by one or together.
 */
export class SessionsSection extends Section {
  static override properties = { ...Section.properties, sessions: { state: true } };

  declare sessions: readonly SignInSession[] | undefined;

  override render(): TemplateResult {
    const words = wordsOf("account").sessions;
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title" tabindex="-1">${words.title}</h2>
      ${this.faults()}
      <ul class="rows ${this.sessions === undefined ? "hold" : ""}">
        ${this.sessions?.map((session) => this.#row(session))}
      </ul>
      ${
        this.sessions?.some(({ current }) => !current)
          ? html`<button ?disabled=${this.busy !== ""} @click=${this.#endOthers}>${words.endOthers}</button>`
          : nothing
      }
    </section>`;
  }

  protected override async load(): Promise<void> {
    this.sessions = (await this.context.api.mySessions({})).body;
  }

  #row({ id, browser, device, last_active_at: activeAt, current }: SignInSession): TemplateResult {
    const { clock, words } = this.context;
    const { active, end, unknown, current: here } = wordsOf("account").sessions;
    const name = browser ?? unknown;
    const facts = [device, active(whenText(activeAt, words, clock.now()))].filter((fact) => fact !== undefined);
    return html`<li>
      <div class="row">
        <div class="what">
          <p class="title small">${name} ${current ? html`<span class="badge">${here}</span>` : nothing}</p>
          <p class="soft tiny">${facts.join(" · ")}</p>
        </div>
        ${
          current
            ? nothing
            : html`<button
                aria-label=${`${end}: ${facts.length > 1 ? `${name}, ${device}` : name}`}
                ?disabled=${this.busy !== ""}
                @click=${() => this.#end(id)}
              >
                ${end}
              </button>`
        }
      </div>
    </li>`;
  }

  async #end(id: string): Promise<void> {
    await this.act(id, async () => {
      const { api } = this.context;
      const proved = await prove(api, "end_session");
      if ("fault" in proved) return this.tellFault(proved.fault);
      await api.endMySession({ params: { id }, body: proved });
      this.sessions = this.sessions?.filter((session) => session.id !== id);
      this.context.announce(wordsOf("account").sessions.ended);
      await this.focusOn("h2");
    });
  }

  async #endOthers(): Promise<void> {
    await this.act(OTHERS, async () => {
      const { api } = this.context;
      const proved = await prove(api, "end_session");
      if ("fault" in proved) return this.tellFault(proved.fault);
      const { ended } = (await api.endMyOtherSessions({ body: proved })).body;
      // Somebody may have signed in meanwhile.
      await this.load();
      this.context.announce(wordsOf("account").sessions.othersEnded(ended));
      await this.focusOn("h2");
    });
  }
}

customElements.get("cupo-sessions-section") ?? customElements.define("cupo-sessions-section", SessionsSection);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-sessions-section": SessionsSection;
  }
}
