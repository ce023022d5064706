import type { AccountChange } from "../../../../src/contract/broker/account-changes.ts";
import type { MoneyNews } from "../../access/notifiers.ts";
import type { PushSubscription } from "./push-store.ts";

type Language = PushSubscription["language"];

/** The text of a message on a locked screen. */
interface PushText {
  readonly title: string;
  readonly body: string;
}

/** A message in every language of a subscription. */
export type PushWords = Readonly<Record<Language, PushText>>;

/** The words for news about money: they tell neither the amount nor the sender. */
export const moneyWords: Readonly<Record<MoneyNews, PushWords>> = Object.freeze({
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

const ifNotYou: Readonly<Record<Language, string>> = Object.freeze({
  es: "Si no fuiste tú, congela tu cuenta en Cupo.",
  en: "If that was not you, freeze your account in Cupo.",
  pt: "Se não foi você, congele sua conta no Cupo.",
});

function doubtful(titles: Readonly<Record<Language, string>>): PushWords {
  const text = (language: Language): PushText => ({ title: titles[language], body: ifNotYou[language] });
  return Object.freeze({ es: text("es"), en: text("en"), pt: text("pt") });
}

/** The words for changes that guard the account: they tell neither names nor amounts. */
export const changeWords: Readonly<Record<AccountChange["kind"], PushWords>> = Object.freeze({
  device_invited: doubtful({
    es: "Se va a agregar un dispositivo a tu cuenta",
    en: "A device is about to be added to your account",
    pt: "Um dispositivo vai ser adicionado à sua conta",
  }),
  device_added: doubtful({
    es: "Se agregó un dispositivo a tu cuenta",
    en: "A device was added to your account",
    pt: "Um dispositivo foi adicionado à sua conta",
  }),
  device_removed: doubtful({
    es: "Se quitó un dispositivo de tu cuenta",
    en: "A device was removed from your account",
    pt: "Um dispositivo foi removido da sua conta",
  }),
  device_renamed: doubtful({
    es: "Cambió el nombre de un dispositivo tuyo",
    en: "One of your devices was renamed",
    pt: "O nome de um dispositivo seu mudou",
  }),
  session_ended: doubtful({
    es: "Se cerró una de tus sesiones",
    en: "One of your sessions was ended",
    pt: "Uma das suas sessões foi encerrada",
  }),
  limits_changed: doubtful({
    es: "Cambiaron tus límites",
    en: "Your limits were changed",
    pt: "Seus tetos mudaram",
  }),
  grant_given: doubtful({
    es: "Alguien más puede ver tu cupo",
    en: "Somebody else may see your quota",
    pt: "Mais alguém pode ver seu limite",
  }),
  grant_ended: doubtful({
    es: "Se retiró un permiso para ver tu cupo",
    en: "A permission to see your quota was taken back",
    pt: "Uma permissão para ver seu limite foi retirada",
  }),
  frozen: {
    es: { title: "Tu cuenta está congelada", body: "Solo tu entidad puede descongelarla." },
    en: { title: "Your account is frozen", body: "Only your provider can unfreeze it." },
    pt: { title: "Sua conta está congelada", body: "Só a sua entidade pode descongelá-la." },
  },
  unfrozen: {
    es: { title: "Tu cuenta ya no está congelada", body: "Entra de nuevo a Cupo para usarla." },
    en: { title: "Your account is no longer frozen", body: "Sign in to Cupo again to use it." },
    pt: { title: "Sua conta não está mais congelada", body: "Entre de novo no Cupo para usá-la." },
  },
});
