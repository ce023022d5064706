import { RechargeForm } from "./recharge-form/recharge-form.ts";

// A page may load the script twice, or in two versions: the first one stays.
customElements.get("recharge-form") ?? customElements.define("recharge-form", RechargeForm);

export type {
  RechargeDetail,
  RechargeErrorDetail,
  RechargeFormEventMap,
} from "./recharge-form/recharge-form-events.ts";
export type { SessionSource, StartedSession } from "./shared/session-client.ts";
export { RechargeForm };
