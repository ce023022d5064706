import { html, nothing, type TemplateResult } from "lit";
import CameraOff from "lucide-static/dist/esm/icons/camera-off.mjs";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import Flashlight from "lucide-static/dist/esm/icons/flashlight.mjs";
import FlashlightOff from "lucide-static/dist/esm/icons/flashlight-off.mjs";
import SwitchCamera from "lucide-static/dist/esm/icons/switch-camera.mjs";
import ZoomIn from "lucide-static/dist/esm/icons/zoom-in.mjs";
import { maskName } from "../../src/mask-name.ts";
import { formatPaymentReference } from "../../src/payment-reference.ts";
import { notice } from "../components/notice.ts";
import { icon } from "../design/icon.ts";
import { formatMoney } from "../format/money-format.ts";
import { wordsOf } from "../language/language.ts";
import type { Sentence, Words } from "../language/words.ts";
import { offerOf } from "../payment/offer-of.ts";
import type { CameraState, Scanner } from "../scan/scanner.ts";
import type { CodeInput } from "../store/attempt-store.ts";

/** Renders the viewfinder over the camera's picture or, while there is no picture, the reason for that with a retry. */
export function viewCover({ common }: Words, state: CameraState, retry: () => void): unknown {
  const scan = wordsOf("scan");
  if (state === "on") {
    return html`<svg class="finder" viewBox="0 0 100 100" aria-hidden="true">
        <path d="M2 30v-8A20 20 0 0 1 22 2h8M70 2h8a20 20 0 0 1 20 20v8" />
        <path d="M98 70v8a20 20 0 0 1-20 20h-8M30 98h-8A20 20 0 0 1 2 78v-8" />
      </svg>
      <p class="lead">${scan.lead}</p>`;
  }
  if (state === "read") {
    return html`<svg class="finder read" viewBox="0 0 100 100" aria-hidden="true">
      <rect x="2" y="2" width="96" height="96" rx="20" />
      <path d="M32 52l12 12 26-28" />
    </svg>`;
  }
  if (state === "starting") return html`<p class="lead" role="status">${scan.starting}</p>`;
  const way = html`<button @click=${retry}>${common.retry}</button>`;
  if (state === "unread") return notice(CircleAlert, scan.decoderNotLoaded, { tone: "warn", way });
  return notice(CameraOff, scan.camera[state], state === "missing" ? {} : { way });
}

/** Renders the button that turns the camera's torch on or off; an empty space of its size where there is no torch. */
export function torchButton(scanner: Scanner | undefined): TemplateResult {
  const scan = wordsOf("scan");
  if (scanner?.state !== "on" || !scanner.hasTorch) return html`<span class="round"></span>`;
  const { lit } = scanner;
  return html`<button
    class="plain round"
    aria-label=${lit ? scan.torchOff : scan.torchOn}
    @click=${() => scanner.toggleTorch()}
  >
    ${icon(lit ? FlashlightOff : Flashlight)}
  </button>`;
}

/** Renders further controls of the camera: its zoom, and the choice of another camera; nothing if there is neither. */
export function cameraTools(scanner: Scanner | undefined): unknown {
  if (scanner?.state !== "on") return nothing;
  const { zoomRange, choices } = scanner;
  if (zoomRange === undefined && choices.length === 0) return nothing;
  return html`<div class="tools">${zoomSlider(scanner)} ${cameraChoice(scanner)}</div>`;
}

function zoomSlider(scanner: Scanner): unknown {
  const scan = wordsOf("scan");
  const range = scanner.zoomRange;
  if (range === undefined) return nothing;
  return html`<label class="zoom">
    ${icon(ZoomIn)}
    <input
      type="range"
      aria-label=${scan.zoom}
      min=${range.min}
      max=${range.max}
      step=${range.step ?? "any"}
      .value=${String(scanner.zoom)}
      @input=${({ target }: Event) => scanner.zoomTo((target as HTMLInputElement).valueAsNumber)}
    />
  </label>`;
}

function cameraChoice(scanner: Scanner): unknown {
  const scan = wordsOf("scan");
  const { choices, cameraId } = scanner;
  if (choices.length === 0) return nothing;
  return html`<label class="choice">
    ${icon(SwitchCamera)}
    <select
      aria-label=${scan.chooseCamera}
      @change=${({ target }: Event) => scanner.choose((target as HTMLSelectElement).value)}
    >
      ${choices.map(
        ({ id, label }, index) => html`<option value=${id} ?selected=${id === cameraId}>
          ${label === "" ? scan.cameraNumber(index + 1) : label}
        </option>`,
      )}
    </select>
  </label>`;
}

/** The facts beside the codes to choose from, and the callback for the chosen one. */
interface CodeChoice {
  readonly guid: string;
  readonly currency: string;
  readonly choose: (code: CodeInput) => void;
}

/** Renders the question that {@link codeChoice} answers; nothing without choices. */
export function choiceTitle(codes: readonly CodeInput[]): unknown {
  return codes.length === 0 ? nothing : html`<p id="several">${wordsOf("scan").several}</p>`;
}

/** Renders the codes to choose from by payee, amount and reference. */
export function codeChoice(
  { drafts }: Words,
  codes: readonly CodeInput[],
  { guid, currency, choose }: CodeChoice,
): TemplateResult {
  const row = (code: CodeInput): TemplateResult => {
    const offer = "payload" in code ? offerOf(code.payload, guid) : undefined;
    const reference = "payload" in code ? offer?.reference : code.reference;
    const sum = offer?.amount === undefined ? drafts.openAmount : formatMoney(offer.amount, currency);
    return html`<button @click=${() => choose(code)}>
      <span class="payee">${offer === undefined ? nothing : maskName(offer.payee)}</span>
      <span class="sum"><bdi>${offer === undefined ? nothing : sum}</bdi></span>
      <span class="reference tiny soft">${reference === undefined ? nothing : formatPaymentReference(reference)}</span>
    </button>`;
  };
  return html`<div class="codes" role="group" aria-labelledby="several">${codes.map(row)}</div>`;
}

/** Renders the fault of the code, text or image that was last read; nothing without one. */
export function saidOf(said: Sentence | undefined): unknown {
  if (said === undefined) return nothing;
  const { title, text } = said;
  return html`<div class="said"><strong>${title}</strong>${text === "" ? nothing : html`<p>${text}</p>`}</div>`;
}
