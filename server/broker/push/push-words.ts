import type { PushSubscription } from "./push-store.ts";

/** What a message says on a locked screen: neither how much nor from whom. */
export const pushWords: Readonly<
  Record<PushSubscription["language"], { readonly title: string; readonly body: string }>
> = Object.freeze({
  es: { title: "Recibiste un pago", body: "Abre Cupo para verlo." },
  en: { title: "You received a payment", body: "Open Cupo to see it." },
  pt: { title: "Você recebeu um pagamento", body: "Abra o Cupo para ver." },
});
