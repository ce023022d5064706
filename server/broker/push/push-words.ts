import type { PushSubscription } from "./push-store.ts";

/** A message: money arrived, or a payment was made after all that was said to have failed. */
export type PushMessage = "arrived" | "corrected";

interface Words {
  readonly title: string;
  readonly body: string;
}

/** The text of each message on a locked screen: neither how much nor from whom. */
export const pushWords: Readonly<Record<PushMessage, Readonly<Record<PushSubscription["language"], Words>>>> =
  Object.freeze({
    arrived: {
      es: { title: "Recibiste un pago", body: "Abre Cupo para verlo." },
      en: { title: "You received a payment", body: "Open Cupo to see it." },
      pt: { title: "Você recebeu um pagamento", body: "Abra o Cupo para ver." },
    },
    corrected: {
      es: { title: "Un pago sí se hizo", body: "Te dijimos que había fallado. Abre Cupo para verlo." },
      en: { title: "A payment was made after all", body: "We told you that it had failed. Open Cupo to see it." },
      pt: { title: "Um pagamento foi feito, sim", body: "Dissemos que havia falhado. Abra o Cupo para ver." },
    },
  });
