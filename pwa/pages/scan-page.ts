import { html, nothing, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import CameraOff from "lucide-static/dist/esm/icons/camera-off.mjs";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import ClipboardPaste from "lucide-static/dist/esm/icons/clipboard-paste.mjs";
import Flashlight from "lucide-static/dist/esm/icons/flashlight.mjs";
import FlashlightOff from "lucide-static/dist/esm/icons/flashlight-off.mjs";
import ImageUp from "lucide-static/dist/esm/icons/image-up.mjs";
import Keyboard from "lucide-static/dist/esm/icons/keyboard.mjs";
import X from "lucide-static/dist/esm/icons/x.mjs";
import { notice, noticeStyles } from "../components/notice.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { icon } from "../look/icon.ts";
import { base, controls } from "../look/styles.ts";
import { Page } from "../page.ts";
import { readCode } from "../payment/read-code.ts";
import { Camera, type CameraFault } from "../scan/camera.ts";
import { pictureOfFile } from "../scan/picture-of-file.ts";
import { ScanReader } from "../scan/scan-reader.ts";
import { vibrate } from "../vibrate.ts";
import { scanStyles } from "./scan-styles.ts";

/** Reads a code: by camera, from an image, pasted, or its reference typed. */
export class ScanPage extends Page {
  static override properties = {
    ...Page.properties,
    camera: { state: true },
    lit: { state: true },
    typing: { state: true },
    said: { state: true },
    busy: { state: true },
  };

  declare camera: "starting" | "on" | "unread" | CameraFault;
  /** Whether the torch is on. */
  declare lit: boolean;
  declare typing: boolean;
  /** What is wrong with what was last read. */
  declare said: Sentence | undefined;
  declare busy: boolean;

  readonly #video = createRef<HTMLVideoElement>();
  readonly #file = createRef<HTMLInputElement>();
  readonly #text = createRef<HTMLTextAreaElement>();
  readonly #visibility = (): void => void (document.hidden ? this.#pause() : this.#resume());
  #eye: Camera | undefined;
  #reader: ScanReader | undefined;
  #lastText = "";

  static override styles = [base, controls, noticeStyles, scanStyles];

  constructor() {
    super();
    this.camera = "starting";
    this.lit = false;
    this.typing = false;
    this.busy = false;
  }

  override get name(): string {
    return this.context.words.scan.title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#reader = new ScanReader();
    document.addEventListener("visibilitychange", this.#visibility);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#visibility);
    this.#pause();
    this.#reader?.close();
    this.#reader = undefined;
  }

  protected override firstUpdated(): void {
    if (this.#video.value !== undefined) this.#eye = new Camera(this.#video.value);
    void this.#resume();
  }

  override render(): TemplateResult {
    const { common, scan } = this.context.words;
    const torch = this.camera === "on" && this.#eye?.hasTorch === true;
    return html`<header>
        <button class="plain round" aria-label=${common.close} @click=${() => this.context.router.back()}>
          ${icon(X)}
        </button>
        <h1 tabindex="-1">${scan.title}</h1>
        ${torch ? this.#torch() : html`<span class="round"></span>`}
      </header>
      <div class="view">
        <video ${ref(this.#video)} playsinline muted aria-hidden="true" ?hidden=${this.camera !== "on"}></video>
        ${this.#cover()}
      </div>
      <div class="sheet">
        <div role="alert">${this.#fault()}</div>
        ${this.typing ? this.#typingForm() : this.#ways()}
      </div>`;
  }

  #cover(): unknown {
    const { scan } = this.context.words;
    if (this.camera === "on") {
      return html`<svg class="finder" viewBox="0 0 100 100" aria-hidden="true">
          <path d="M2 30v-8A20 20 0 0 1 22 2h8M70 2h8a20 20 0 0 1 20 20v8" />
          <path d="M98 70v8a20 20 0 0 1-20 20h-8M30 98h-8A20 20 0 0 1 2 78v-8" />
        </svg>
        <p class="lead">${scan.lead}</p>`;
    }
    if (this.camera === "starting") return html`<p class="lead" role="status">${scan.starting}</p>`;
    const { common } = this.context.words;
    const way = html`<button @click=${this.#resume}>${common.retry}</button>`;
    if (this.camera === "unread") return notice(CircleAlert, scan.unread, { tone: "warn", way });
    return notice(CameraOff, scan.camera[this.camera], this.camera === "missing" ? {} : { way });
  }

  #fault(): unknown {
    if (this.said === undefined) return nothing;
    const { title, text } = this.said;
    return html`<div class="said"><strong>${title}</strong>${text === "" ? nothing : html`<p>${text}</p>`}</div>`;
  }

  #torch(): TemplateResult {
    const { scan } = this.context.words;
    return html`<button
      class="plain round"
      aria-label=${this.lit ? scan.torchOff : scan.torchOn}
      @click=${async () => {
        this.lit = !this.lit;
        await this.#eye?.light(this.lit);
      }}
    >
      ${icon(this.lit ? FlashlightOff : Flashlight)}
    </button>`;
  }

  #ways(): TemplateResult {
    const { scan } = this.context.words;
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
    const { common, scan } = this.context.words;
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

  #submit(event: Event): void {
    event.preventDefault();
    this.#found(this.#text.value?.value ?? "");
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
    const { scan } = this.context.words;
    try {
      const text = await navigator.clipboard.readText();
      if (text.trim() !== "") return this.#found(text);
      this.said = { title: scan.nothingToPaste, text: "" };
    } catch {
      // Refused, or a browser that lets only people paste: the field takes it.
      this.said = { title: scan.pasteDenied, text: "" };
      await this.#type("");
    }
  }

  async #chosen(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file === undefined || this.#reader === undefined) return;
    this.busy = true;
    this.said = undefined;
    try {
      const picture = await pictureOfFile(file);
      const text = picture && (await this.#reader.read(picture, "file"));
      if (text === undefined) this.said = { title: this.context.words.scan.noCodeInImage, text: "" };
      else this.#found(text);
    } catch (error) {
      reportError(error);
      this.#renewReader();
      this.said = this.context.words.scan.unread;
    } finally {
      this.busy = false;
      input.value = "";
    }
  }

  /** Opens Confirm for a code that could be paid, and says of any other what it is. */
  #found(text: string): void {
    const read = readCode(text, this.context.keys.guid);
    if (read.ok) {
      vibrate(15);
      this.context.router.go("/confirm", { state: { code: read.code } });
    } else this.said = sentenceOf(this.context.words, read.problem);
  }

  async #resume(): Promise<void> {
    if (this.#eye === undefined || this.camera === "on") return;
    this.camera = "starting";
    const fault = await this.#eye.start();
    if (fault !== undefined) this.camera = fault;
    // Left or hidden while the person was being asked.
    if (!this.#eye.running) return;
    this.camera = "on";
    await this.#look().catch((error: unknown) => this.#unread(error));
  }

  #pause(): void {
    this.#eye?.stop();
    this.lit = false;
    this.camera = "starting";
  }

  /** The reader could not be fetched: a camera that nobody looks through goes out. */
  #unread(error: unknown): void {
    reportError(error);
    if (!this.isConnected || this.#eye?.running !== true) return;
    this.#pause();
    this.#renewReader();
    this.camera = "unread";
  }

  /** A worker remembers what it could not fetch; a new one asks again. */
  #renewReader(): void {
    this.#reader?.close();
    this.#reader = this.isConnected ? new ScanReader() : undefined;
  }

  /** Reads one frame after the other, each time the newest, until the page is left. */
  async #look(): Promise<void> {
    while (this.isConnected && this.camera === "on") {
      const frame = await this.#eye?.frame();
      const text = frame && (await this.#reader?.read(frame, "frame"));
      if (text !== undefined && text !== this.#lastText && this.isConnected) {
        this.#lastText = text;
        this.#found(text);
      }
      await new Promise(requestAnimationFrame);
    }
  }
}

customElements.get("cupo-scan-page") ?? customElements.define("cupo-scan-page", ScanPage);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-scan-page": ScanPage;
  }
}
