import type { Words } from "../../es/server/push.ts";

const ifNotYou = "If that wasn't you, freeze your account in Cupo.";

/** English of the messages on a locked screen, which tell neither names nor amounts. */
export const words: Words = {
  arrived: { title: "You received a payment", body: "Open Cupo to see it." },
  corrected: { title: "A payment was made after all", body: "Earlier, we said it had failed. Open Cupo for details." },
  device_invited: { title: "A device is about to be added to your account", body: ifNotYou },
  device_added: { title: "A device was added to your account", body: ifNotYou },
  device_removed: { title: "A device was removed from your account", body: ifNotYou },
  device_renamed: { title: "One of your devices was renamed", body: ifNotYou },
  session_ended: { title: "One of your sessions ended", body: ifNotYou },
  limits_changed: { title: "Your limits were changed", body: ifNotYou },
  grant_given: { title: "Someone else can see your balance", body: ifNotYou },
  grant_ended: { title: "A permission to see your balance was removed", body: ifNotYou },
  frozen: { title: "Your account is frozen", body: "Only your provider can unfreeze it." },
  unfrozen: { title: "Your account is no longer frozen", body: "Sign in to Cupo again to use it." },
};
