import type { Words } from "../../es/elements/user-quota.ts";

/** Portuguese of `<user-quota>`. */
export const words: Words = {
  loading: "Carregando seu limite",
  available: "Limite disponível",
  quota: "Limite",
  held: "Retido",
  none: "Você ainda não tem limite",
  score: "Pontuação",
  ofMost: "de 1000",
  mask: "Ocultar os valores",
  hidden: "oculto",
  status: { active: "Em dia", arrear: "Em atraso", default: "Inadimplente" },
  movements: "Últimos movimentos",
  noMovements: "Ainda não há movimentos",
  sent: "Para",
  received: "De",
  kind: {
    payment: "Pagamento",
    batch: "Pagamento",
    recharge: "Recarga",
    qr: "Pagamento com QR",
    refund: "Devolução",
  },
  outcome: { pending: "Pendente", rejected: "Não foi pago", reversed: "Devolvido" },
  today: "hoje",
  asOf: "Atualizado",
  refresh: "Atualizar",
  offline: "Sem conexão",
  refused: { title: "Este comércio não pode ver seu limite", text: "Conecte-o pela página dele." },
  failed: { title: "Não conseguimos mostrar seu limite", text: "Seu limite não mudou. Tente de novo." },
  tryAgain: "Tentar de novo",
};
