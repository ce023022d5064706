import type { Words } from "../../es/elements/user-quota.ts";

/** Portuguese of `<user-quota>`. */
export const words: Words = {
  loading: "Carregando seu saldo",
  available: "Saldo disponível",
  quota: "Saldo",
  held: "Retido",
  none: "Você ainda não tem saldo",
  score: "Pontuação",
  ofMost: "de 1000",
  mask: "Ocultar os valores",
  hidden: "oculto",
  status: { active: "Em dia", arrear: "Em atraso", default: "Inadimplente" },
  movements: "Últimas movimentações",
  noMovements: "Ainda não há movimentações",
  sent: "Para",
  received: "De",
  kind: {
    payment: "Pagamento",
    batch: "Pagamento",
    recharge: "Recarga",
    qr: "Pagamento com QR Code",
    refund: "Devolução",
  },
  outcome: { pending: "Pendente", rejected: "Não foi pago", reversed: "Devolvido" },
  asOf: "Atualizado",
  refresh: "Atualizar",
  offline: "Sem conexão",
  refused: { title: "Esta loja não pode ver seu saldo", text: "Conecte-o pela página dela." },
  failed: { title: "Não conseguimos mostrar seu saldo", text: "Seu saldo não mudou. Tente de novo." },
  tryAgain: "Tentar de novo",
};
