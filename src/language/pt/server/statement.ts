import type { Words } from "../../es/server/statement.ts";

/** Portuguese of statements. */
export const words: Words = {
  tag: "pt-BR",
  title: "Extrato mensal",
  received: "Recebido",
  sent: "Enviado",
  difference: "Diferença",
  columns: {
    day: "Dia",
    time: "Hora",
    counterparty: "Com quem",
    kind: "Tipo",
    reference: "Referência",
    amount: "Valor",
    currency: "Moeda",
    balance: "Saldo depois",
    note: "Mensagem",
    id: "ID",
  },
  kind: {
    payment: "Pagamento",
    batch: "Pagamento",
    recharge: "Recarga",
    qr: "Pagamento com QR",
    refund: "Devolução",
    transfer: "Transferência",
  },
  none: "Neste mês não houve movimentações.",
  asOf: (when) => `Em ${when}`,
  page: (number, count) => `Página ${number} de ${count}`,
  movements: (count) => (count === 1 ? "1 movimentação" : `${count} movimentações`),
};
