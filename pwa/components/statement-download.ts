import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import FileDown from "lucide-static/dist/esm/icons/file-down.mjs";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { wordsOf } from "../language/language.ts";
import { sentenceOf } from "../language/words.ts";
import { own } from "../platform/own.ts";
import { problemOf } from "../platform/problem.ts";
import { fetchStatement, keepFile, type StatementAsked, statementFileName } from "../statement/download-statement.ts";

type Form = StatementAsked["form"];

/** Downloads monthly statements for a host, and renders the buttons and the sentence on how the last one went. */
export class StatementDownload {
  readonly #host: ReactiveControllerHost;
  readonly #context: () => AppContext;
  /** The format that is being fetched. */
  #preparing: Form | undefined;
  #said: { readonly text: string; readonly failed: boolean } | undefined;

  constructor(host: ReactiveControllerHost, context: () => AppContext) {
    this.#host = host;
    this.#context = context;
  }

  /** Renders the button that downloads a month's statement (`2026-03`); without `text`, an icon alone. */
  button(form: Form, month: string, text?: string): TemplateResult {
    const { statement } = wordsOf("receipts");
    return html`<button
      class=${text === undefined ? "plain round" : nothing}
      aria-label="${statement.title}, ${statement[form]}"
      aria-busy=${this.#preparing === form}
      ?disabled=${this.#preparing !== undefined}
      @click=${() => own(this.#download(form, month))}
    >
      ${icon(FileDown)}${text}
    </button>`;
  }

  /** Renders the status even while it is empty, so that screen readers observe it from the start. */
  status(): TemplateResult {
    const { statement } = wordsOf("receipts");
    const said = this.#said;
    const done = said?.failed === false ? said.text : "";
    const status = this.#preparing === undefined ? done : statement.preparing;
    return html`<p role="status" class="small ${status === "" ? "visually-hidden" : "soft"}">${status}</p>
      ${said?.failed === true ? html`<p role="alert" class="small bad">${said.text}</p>` : nothing}`;
  }

  /** Forgets how the last download went. */
  clear(): void {
    this.#said = undefined;
    this.#host.requestUpdate();
  }

  async #download(form: Form, month: string): Promise<void> {
    const { language, session } = this.#context();
    const personId = session.me?.id ?? session.personId;
    const asked: StatementAsked = { form, month, language, personId };
    this.#preparing = form;
    this.clear();
    try {
      keepFile(await fetchStatement(asked, (...call) => fetch(...call)), statementFileName(asked), document);
      this.#said = { text: wordsOf("receipts").statement.ready, failed: false };
    } catch (error) {
      this.#said = { text: await this.#failure(error, form), failed: true };
    }
    this.#preparing = undefined;
    this.#host.requestUpdate();
  }

  async #failure(error: unknown, form: Form): Promise<string> {
    const { api, words } = this.#context();
    const { statement } = wordsOf("receipts");
    if (error instanceof ApiError && error.code === "invalid_request" && form === "pdf") return statement.tooMany;
    if (error instanceof ApiError && error.code === "month_not_closed") return statement.notClosed;
    // The session is over or another person's: `me` makes the app show the welcome page or that person.
    const code = error instanceof ApiError ? error.code : "";
    if (["unauthorized", "another_person"].includes(code)) await api.me({}).catch(() => undefined);
    const problem = problemOf(error);
    if (problem.failure === "something_wrong") return statement.failed;
    const { title, text } = sentenceOf(words, problem, "looking");
    return `${title}. ${text}`;
  }
}
