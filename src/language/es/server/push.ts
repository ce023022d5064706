import type { Translated } from "../../translated.ts";

const ifNotYou = "Si no fuiste tú, congela tu cuenta en Cupo.";

/** Spanish of the messages on a locked screen, which tell neither names nor amounts. */
export const words = {
  arrived: { title: "Recibiste un pago", body: "Abre Cupo para verlo." },
  corrected: { title: "Un pago sí se hizo", body: "Te dijimos que había fallado. Abre Cupo para verlo." },
  device_invited: { title: "Se va a agregar un dispositivo a tu cuenta", body: ifNotYou },
  device_added: { title: "Se agregó un dispositivo a tu cuenta", body: ifNotYou },
  device_removed: { title: "Se quitó un dispositivo de tu cuenta", body: ifNotYou },
  device_renamed: { title: "Cambió el nombre de uno de tus dispositivos", body: ifNotYou },
  session_ended: { title: "Se cerró una de tus sesiones", body: ifNotYou },
  limits_changed: { title: "Cambiaron tus límites", body: ifNotYou },
  grant_given: { title: "Alguien más puede ver tu cupo", body: ifNotYou },
  grant_ended: { title: "Se retiró un permiso para ver tu cupo", body: ifNotYou },
  frozen: { title: "Tu cuenta está congelada", body: "Solo tu entidad puede descongelarla." },
  unfrozen: { title: "Tu cuenta ya no está congelada", body: "Entra de nuevo a Cupo para usarla." },
};

/** The messages on a locked screen. */
export type Words = Translated<typeof words>;
