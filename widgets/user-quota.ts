import { UserQuota } from "./user-quota/user-quota.ts";

// A page may load the script twice, or in two versions: the first one stays.
customElements.get("user-quota") ?? customElements.define("user-quota", UserQuota);

export type { SessionSource, StartedSession } from "./shared/session-client.ts";
export type { QuotaDetail, QuotaErrorDetail, UserQuotaEventMap } from "./user-quota/user-quota-events.ts";
export { UserQuota };
