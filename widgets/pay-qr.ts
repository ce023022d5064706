import { PayQr } from "./pay-qr/pay-qr.ts";

// A page may load the script twice, or in two versions: the first one stays.
customElements.get("pay-qr") ?? customElements.define("pay-qr", PayQr);

export type {
  ExpiredDetail,
  PayErrorDetail,
  PaymentDetail,
  PayQrEventMap,
  RejectedDetail,
} from "./pay-qr/pay-qr-events.ts";
export type { SessionSource, StartedSession } from "./shared/session-client.ts";
export { PayQr };
