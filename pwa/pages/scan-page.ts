import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import ClipboardPaste from "lucide-static/dist/esm/icons/clipboard-paste.mjs";
import ImageUp from "lucide-static/dist/esm/icons/image-up.mjs";
import Keyboard from "lucide-static/dist/esm/icons/keyboard.mjs";
import X from "lucide-static/dist/esm/icons/x.mjs";
import { noticeStyles } from "../components/notice.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { type Found, FoundCodes } from "../payment/found-codes.ts";
import { readCode } from "../payment/read-code.ts";
import { followKeyboard } from "../platform/keyboard.ts";
import { own } from "../platform/own.ts";
import { vibrate } from "../platform/vibrate.ts";
import { ScanReader } from "../scan/scan-reader.ts";
import { Scanner } from "../scan/scanner.ts";
import { takeShared } from "../share/take-shared.ts";
import { scanStyles } from "./scan-styles.ts";
import { cameraTools, choiceTitle, codeChoice, saidOf, torchButton, viewCover } from "./scan-views.ts";

/** Fragment with which the page opens for content that another app has shared. */
const SHARED = "#shared";

/**
 * Page that reads a payment code by camera, from an image, from pasted or shared content, or by its typed reference,
 * and then opens Confirm with it.
 */
export class ScanPage extends Page {
  static override properties = {
    ...Page.properties,
    typing: { state: true },
    said: { state: true },
    busy: { state: true },
  };

  declare typing: boolean;
  /** The fault of the code, text or image that was last read. */
  declare said: Sentence | undefined;
  declare busy: boolean;

  readonly #video = createRef<HTMLVideoElement>();
  readonly #file = createRef<HTMLInputElement>();
  readonly #text = createRef<HTMLTextAreaElement>();
  readonly #visibility = (): void => (document.hidden ? this.#scanner?.pause() : own(this.#scanner?.resume()));
  readonly #found = new FoundCodes();
  #scanner: Scanner | undefined;

  static override styles = [base, controls, noticeStyles, scanStyles];

  constructor() {
    super();
    this.typing = false;
    this.busy = false;
    followKeyboard(this);
  }

  override get name(): string {
    return wordsOf("scan").title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#visibility);
    if (this.hasUpdated) this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#visibility);
    this.#scanner?.close();
    this.#scanner = undefined;
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.#open();
    if (location.hash === SHARED) own(this.#takeShared());
  }

  override render(): TemplateResult {
    const { words } = this.context;
    const state = this.#scanner?.state ?? "starting";
    return html`<header>
        <button class="plain round" aria-label=${words.common.close} @click=${() => this.context.router.back()}>
          ${icon(X)}
        </button>
        <h1 tabindex="-1">${wordsOf("scan").title}</h1>
        ${torchButton(this.#scanner)}
      </header>
      <div class="view">
        <video
          ${ref(this.#video)}
          playsinline
          muted
          aria-hidden="true"
          ?hidden=${state !== "on" && state !== "read"}
        ></video>
        ${viewCover(words, state, () => own(this.#scanner?.resume()))} ${cameraTools(this.#scanner)}
      </div>
      <div class="sheet">
        <div role="alert">${saidOf(this.said)} ${choiceTitle(this.#found.choices)}</div>
        ${this.#choice()} ${this.typing ? this.#typingForm() : this.#ways()}
      </div>`;
  }

  #open(): void {
    if (this.#video.value === undefined || !this.isConnected) return;
    this.#scanner = new Scanner(this.#video.value, {
      // Every code of ours has it in its text.
      newReader: () => new ScanReader(this.context.keys.guid),
      storage: localStorage,
      found: (texts) => this.#take(this.#found.seen(texts, this.context.keys.guid)),
      changed: () => this.#changed(),
    });
    if (!document.hidden) own(this.#scanner.resume());
  }

  /** Fetches Confirm while the camera looks; before that it would only delay the camera. */
  #changed(): void {
    if (this.#scanner?.state === "on") this.context.prepare("confirm");
    this.requestUpdate();
  }

  #choice(): unknown {
    const { keys, session, words } = this.context;
    const { choices } = this.#found;
    if (choices.length === 0) return nothing;
    const place = { guid: keys.guid, currency: session.me?.currency ?? "COP" };
    return codeChoice(words, choices, { ...place, choose: (code) => this.#take(this.#found.confirm(code)) });
  }

  /** Takes texts that the person gave. */
  #given(texts: readonly string[]): void {
    this.#take(this.#found.given(texts, this.context.keys.guid));
  }

  #ways(): TemplateResult {
    const scan = wordsOf("scan");
    return html`<div class="ways">
        <button ?disabled=${this.busy} @click=${() => this.#file.value?.click()}>
          ${icon(ImageUp)}${this.busy ? scan.readingImage : scan.image}
        </button>
        <button @click=${this.#paste}>${icon(ClipboardPaste)}${scan.paste}</button>
        <button @click=${() => this.#type("")}>${icon(Keyboard)}${scan.type}</button>
      </div>
      <input
        ${ref(this.#file)}
        hidden
        type="file"
        accept="image/*"
        @change=${this.#chosen}
      />`;
  }

  #typingForm(): TemplateResult {
    const { common } = this.context.words;
    const scan = wordsOf("scan");
    return html`<form @submit=${this.#submit}>
      <label for="text">${scan.typeLabel}</label>
      <textarea
        ${ref(this.#text)}
        id="text"
        rows="2"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        enterkeyhint="go"
        aria-describedby="hint"
        @keydown=${this.#key}
        @input=${this.#typed}
        @paste=${this.#pasted}
      ></textarea>
      <p id="hint" class="tiny soft">${scan.typeHint}</p>
      <div class="pair">
        <button type="button" @click=${() => this.#closeForm()}>${common.back}</button>
        <button class="primary">${scan.go}</button>
      </div>
    </form>`;
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey) return;
    this.#submit(event);
  }

  /** Reports a whole reference that does not fit its check character, and nothing else yet. */
  #typed(): void {
    const read = readCode(this.#text.value?.value ?? "", this.context.keys.guid);
    const isMistyped = !read.ok && read.problem.failure === "mistyped_reference";
    this.said = isMistyped ? sentenceOf(this.context.words, read.problem) : undefined;
  }

  /** Reads a picture that is pasted into the field. */
  #pasted(event: ClipboardEvent): void {
    const image = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
    if (image === undefined) return;
    event.preventDefault();
    own(this.#readImage(image));
  }

  #submit(event: Event): void {
    event.preventDefault();
    this.#given([this.#text.value?.value ?? ""]);
  }

  #closeForm(): void {
    this.typing = false;
    this.said = undefined;
  }

  async #type(text: string): Promise<void> {
    this.typing = true;
    await this.updateComplete;
    const field = this.#text.value;
    if (field === undefined) return;
    field.value = text;
    field.focus();
  }

  async #paste(): Promise<void> {
    const scan = wordsOf("scan");
    try {
      const copied = await readClipboard();
      if (copied instanceof Blob) return await this.#readImage(copied);
      if (copied.trim() !== "") return this.#given([copied]);
      this.said = { title: scan.nothingToPaste, text: "" };
    } catch {
      // Refused, or a browser that lets only the person paste: the field takes it.
      this.said = { title: scan.pasteDenied, text: "" };
      await this.#type("");
    }
  }

  async #chosen(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file !== undefined) await this.#readImage(file);
    input.value = "";
  }

  async #takeShared(): Promise<void> {
    const { image, text } = await takeShared();
    if (image !== undefined) await this.#readImage(image);
    else if (text !== undefined) this.#given([text]);
  }

  async #readImage(file: Blob): Promise<void> {
    if (this.#scanner === undefined) return;
    this.busy = true;
    this.said = undefined;
    try {
      const texts = await this.#scanner.readFile(file);
      if (texts.length === 0) this.said = { title: wordsOf("scan").noCodeInImage, text: "" };
      else this.#given(texts);
    } catch (error) {
      reportError(error);
      this.said = wordsOf("scan").decoderNotLoaded;
    } finally {
      this.busy = false;
    }
  }

  /** Opens Confirm for a code that is to be confirmed, and says of any other text what it is. */
  #take({ confirm, problem }: Found): void {
    if (!this.isConnected) return;
    const { router, words } = this.context;
    if (problem !== undefined) this.said = sentenceOf(words, problem);
    else if (this.#found.choices.length > 0) this.said = undefined;
    this.requestUpdate();
    if (confirm === undefined) return;
    // Its page may take a while: what was read is seen at once.
    this.#scanner?.freeze();
    vibrate(15);
    router.go("/confirm", { state: { code: confirm } });
  }
}

/** Reads the clipboard: a picture before a text, since somebody who copies a picture of a code means the code. */
async function readClipboard(): Promise<Blob | string> {
  if (navigator.clipboard.read === undefined) return navigator.clipboard.readText();
  const items = await navigator.clipboard.read();
  for (const item of items) {
    const image = item.types.find((type) => type.startsWith("image/"));
    if (image !== undefined) return item.getType(image);
  }
  const text = items.find(({ types }) => types.includes("text/plain"));
  return text === undefined ? "" : (await text.getType("text/plain")).text();
}

customElements.get("cupo-scan-page") ?? customElements.define("cupo-scan-page", ScanPage);
