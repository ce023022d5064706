export { PayQr } from "./pay-qr.ts";
export { RechargeForm } from "./recharge-form.ts";
export { UserQuota } from "./user-quota.ts";
