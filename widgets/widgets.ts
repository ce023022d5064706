export { PayQr } from "./pay-qr.ts";
export { UserQuota } from "./user-quota.ts";
