import type { Words } from "../../es/server/push.ts";

const ifNotYou = "Se não foi você, congele sua conta no Cupo.";

/** Portuguese of the messages on a locked screen, which tell neither names nor amounts. */
export const words: Words = {
  arrived: { title: "Você recebeu um pagamento", body: "Abra o Cupo para ver." },
  corrected: { title: "Um pagamento deu certo", body: "Antes avisamos que ele tinha falhado. Abra o Cupo para ver." },
  device_invited: { title: "Um dispositivo vai ser adicionado à sua conta", body: ifNotYou },
  device_added: { title: "Um dispositivo foi adicionado à sua conta", body: ifNotYou },
  device_removed: { title: "Um dispositivo foi removido da sua conta", body: ifNotYou },
  device_renamed: { title: "O nome de um dos seus dispositivos mudou", body: ifNotYou },
  session_ended: { title: "Uma das suas sessões foi encerrada", body: ifNotYou },
  limits_changed: { title: "Seus limites mudaram", body: ifNotYou },
  grant_given: { title: "Mais alguém pode ver seu saldo", body: ifNotYou },
  grant_ended: { title: "Uma permissão para ver seu saldo foi removida", body: ifNotYou },
  frozen: { title: "Sua conta está congelada", body: "Só a sua instituição pode descongelá-la." },
  unfrozen: { title: "Sua conta não está mais congelada", body: "Entre de novo no Cupo para usá-la." },
};
