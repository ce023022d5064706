import type { Words } from "../../es/app/receipts.ts";

/** Portuguese of a receipt, of the page that checks one, and of the summary with its monthly statement. */
export const words: Words = {
  receipt: {
    name: "Recibo",
    note: "Nota",
    kind: "O quê",
    print: "Imprimir",
    refund: "Devolver",
    original: "Ver o pagamento",
    left: "Resta",
    qrLabel: "Código QR para conferir este recibo",
    scan: "Quem o escaneia vê se o recibo é autêntico e se o dinheiro foi devolvido.",
    copied: "Recibo copiado",
    looking: "Procurando o recibo",
    proof: "Código do recibo",
    state: {
      paid: "Pago",
      sent: "Enviado",
      received: "Recebido",
      partly: "Devolvido em parte",
      reversed: "Devolvido",
      rejected: "Não foi pago",
      pending: "Pendente",
    },
    unknown: {
      title: "Este recibo não está na sua conta",
      text: "Procure no seu histórico ou abra o link completo.",
    },
    text: ({ kind, amount, who, reference, code }) =>
      `${kind} de ${amount}. ${who}. Referência ${reference}. Código de verificação ${code}.`,
  },
  verify: {
    name: "Conferir um recibo",
    asking: "Conferindo o recibo",
    payer: "De",
    payee: "Para",
    compare: "Deve ser igual ao código do recibo que mostram a você.",
    open: "Ir para o Cupo",
    checked: "Conferido",
    incomplete: "Falta o recibo no link. Escaneie o QR de novo ou abra o link completo.",
    genuine: {
      stands: { title: "Recibo autêntico", text: "O Cupo o emitiu e o dinheiro se moveu." },
      partly: {
        title: "Autêntico, devolvido em parte",
        text: "O Cupo emitiu este recibo, mas uma parte do dinheiro já foi devolvida.",
      },
      reversed: {
        title: "Autêntico, mas o dinheiro foi devolvido",
        text: "O Cupo emitiu este recibo. Depois, todo o dinheiro voltou a quem pagou.",
      },
    },
    forged: {
      title: "Não é um recibo do Cupo",
      text: "Alguém o alterou ou não foi emitido aqui. Não o aceite como pagamento.",
    },
  },
  summary: {
    name: "Resumo",
    lead: "A quem você pagou e quanto, menos o que devolveram. Sem transferências.",
    chart: "Os maiores",
    table: "Todos",
    payee: "A quem",
    payments: "Pagamentos",
    last: "Último",
    total: "Total",
    more: "Ver mais",
    empty: {
      title: "Você ainda não pagou a ninguém",
      text: "Depois do primeiro pagamento você vê aqui a quem e quanto.",
    },
    payees: (count) => (count === 1 ? "1 pessoa ou loja" : `${count} pessoas e lojas`),
    largest: (count) => `Os ${count} maiores`,
  },
  statement: {
    title: "Extrato mensal",
    lead: "Tudo o que se moveu no mês, com os totais.",
    month: "Mês",
    pdf: "PDF",
    csv: "CSV",
    preparing: "Preparando o extrato",
    ready: "Extrato baixado",
    tooMany: "Este mês tem movimentos demais para um PDF. Baixe como CSV.",
    failed: "Não foi possível preparar o extrato. Tente de novo em um momento.",
  },
};
