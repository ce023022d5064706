// Every state of every element, as data: what the staged broker answers, and what a person does to get there.
//
// A scene says which :state()s the element `shows` in the end, and a selector that it then `has` inside. `session`,
// `looks`, `lookUps`, `sales` and `list` are answers in their order, the last of which stays: fields over the usual
// answer, or one of NEVER, LOST and refused(…). Each of the `steps` waits for a :state(), types, and presses.

/** No answer comes. */
const NEVER = { kind: "never" };
/** The connection breaks. */
const LOST = { kind: "lost" };
/** A problem document. */
const refused = (status, code, retryAfter) => ({ kind: "refused", status, code, retryAfter });

const NOTICE = "[part~=notice]";
const FAULT = "[part~=fault]:not(:empty)";
const OUTCOME = "[part~=outcome]";

/** A code that the page's clipboard does not take. */
export const UNCOPIED = "000201010211630471C4";

const payQr = {
  loading: { shows: "loading", session: [NEVER] },
  "loading-offline": { shows: "loading offline", looks: [LOST], has: NOTICE },
  awaiting: { shows: "awaiting", has: "[part~=qr]" },
  "long-name-no-amount": {
    shows: "awaiting",
    looks: [{ payee: "Asociación de Productores de Café Orgánico de la Sierra Nevada", amount: undefined }],
  },
  "large-amount": { shows: "awaiting", looks: [{ amount: 9_999_999_999.99 }] },
  "last-minute": { shows: "awaiting", looks: [{ expires_in: 59 }], has: ".late" },
  rejected: { shows: "awaiting", looks: [{}, { rejected_attempts: 1 }], has: NOTICE },
  "last-look": { shows: "awaiting", looks: [{ expires_in: 0 }], has: NOTICE },
  offline: { shows: "awaiting offline", looks: [{}, LOST], has: NOTICE },
  copied: { shows: "awaiting", steps: [{ when: "awaiting", press: "[part~=copy]", repeat: true }] },
  "copy-refused": {
    shows: "awaiting",
    looks: [{ payload: UNCOPIED }],
    steps: [{ when: "awaiting", press: "[part~=copy]" }],
    has: "[part~=payload]",
  },
  pending: { shows: "awaiting", looks: [{ state: "pending" }], has: OUTCOME },
  paid: { shows: "paid", looks: [{}, { state: "paid" }], has: "[part~=time]" },
  expired: { shows: "expired", looks: [{ state: "expired", expires_in: 0 }] },
  "expired-unknown": { shows: "expired", looks: [{ expires_in: 0 }, refused(401, "unauthorized")] },
  cancelled: { shows: "cancelled", looks: [{ state: "cancelled" }] },
  "failed-refused": { shows: "failed", session: [refused(403, "not_allowed")] },
  "failed-unknown": { shows: "failed", looks: [{}, refused(404, "not_found")] },
};

const PHONE = "300 123 4567";
const FIND = { when: "find", type: PHONE, press: "[part~=next]" };
const CHOOSE = { when: "amount", press: "[part~=preset]:nth-of-type(2)" };
// The seller has read receiver and amount by then; a double click on the amount sells nothing.
const SELL = { when: "confirm", afterMs: 500, press: "[part~=way-on]" };

const typing = (type) => ({ when: "amount", type, press: "[part~=next]" });
const selling = (shows, sales, has) => ({ shows, sales, has, steps: [FIND, CHOOSE, SELL] });
const searching = (lookUps, has, shows = "find") => ({ shows, lookUps, has, steps: [FIND] });

const rechargeForm = {
  loading: { shows: "loading", session: [NEVER] },
  "loading-offline": { shows: "loading offline", looks: [LOST], has: NOTICE },
  find: { shows: "find", has: "[part~=field]" },
  "find-nit": { shows: "find", steps: [{ when: "find", press: "[role=radiogroup] label:last-of-type input" }] },
  "half-a-number": { shows: "find", steps: [{ ...FIND, type: "30" }], has: FAULT },
  searching: searching([NEVER], ".busy"),
  "not-found": searching([refused(404, "user_not_found")], FAULT),
  "too-many": searching([refused(429, "too_many_requests", 42)], FAULT),
  offline: searching([LOST], NOTICE, "find offline"),
  amount: { shows: "amount", steps: [FIND], has: "[part~=preset]" },
  "amount-unreadable": { shows: "amount", steps: [FIND, typing("veinte")], has: FAULT },
  "over-the-limit": { shows: "amount", steps: [FIND, typing("80000")], has: FAULT },
  confirm: { shows: "confirm", steps: [FIND, CHOOSE], has: "[part~=way-on]" },
  "confirm-again": selling("confirm", [refused(409, "look_up_expired")], NOTICE),
  selling: selling("selling", [NEVER]),
  unsure: selling("unsure", [LOST], OUTCOME),
  receipt: selling("receipt", [{}], OUTCOME),
  rejected: selling("rejected", [{ state: "rejected", reason: "insufficient_balance" }], OUTCOME),
  "rejected-limit": selling("rejected", [refused(422, "limit_exceeded")], OUTCOME),
  "session-over": {
    ...selling("failed", [refused(401, "unauthorized")], OUTCOME),
    session: [{}, refused(401, "unauthorized")],
  },
  failed: { shows: "failed", session: [refused(403, "not_allowed")], has: OUTCOME },
  "day-list": {
    shows: "find",
    steps: [{ when: "find", press: "summary" }],
    has: "[part~=sale]",
  },
  "day-list-failed": {
    shows: "find",
    list: [refused(503, "unavailable")],
    steps: [{ when: "find", press: "summary" }],
    has: "[part~=sales] [part~=button]",
  },
};

const PRESS_REFRESH = { when: "shown", press: "[part~=refresh]" };

const userQuota = {
  loading: { shows: "loading", session: [NEVER] },
  "loading-offline": { shows: "loading offline", looks: [LOST], has: NOTICE },
  shown: { shows: "shown" },
  masked: { shows: "shown masked", looks: [{ quota: 300_000 }], steps: [{ when: "shown", press: "[part~=mask]" }] },
  held: { shows: "shown", looks: [{ quota: 300_000 }] },
  arrear: { shows: "shown", looks: [{ status: "arrear", score: 410, quota: 544_001.5, quota_available: 544_001.5 }] },
  default: { shows: "shown", looks: [{ status: "default", score: 120, quota: 0, quota_available: 0 }] },
  "no-quota": { shows: "shown", looks: [{ quota: null, quota_available: null, score: null, movements: [] }] },
  "no-movements": { shows: "shown", looks: [{ movements: [] }] },
  "long-name": {
    shows: "shown",
    looks: [
      {
        name: "María del Socorro Villavicencio Hernández de Santacruz",
        quota: 9_999_999_999.99,
        quota_available: 9_999_999_999.99,
      },
    ],
  },
  "one-movement-no-score": { shows: "shown", attributes: { movements: "1", "hide-score": "" } },
  offline: { shows: "shown offline", looks: [{}, LOST], steps: [PRESS_REFRESH], has: NOTICE },
  refused: { shows: "refused", session: [refused(403, "not_allowed")] },
  failed: { shows: "failed", looks: [refused(404, "not_found")] },
};

/** The scenes by element and state, in the order in which they are shown. */
export const states = Object.freeze({ "pay-qr": payQr, "recharge-form": rechargeForm, "user-quota": userQuota });
