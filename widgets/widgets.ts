export { PayQr } from "./pay-qr.ts";
