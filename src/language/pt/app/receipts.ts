import type { Words } from "../../es/app/receipts.ts";

/** Portuguese of a receipt, of the page that checks one, and of the summary with its monthly statement. */
export const words: Words = {
  receipt: {
    name: "Comprovante",
    note: "Mensagem",
    kind: "Tipo",
    print: "Imprimir",
    refund: "Devolver",
    original: "Ver o pagamento",
    left: "Resta",
    qrLabel: "QR Code para verificar este comprovante",
    scan: "Quem escaneia vê se o comprovante é autêntico e se o dinheiro foi devolvido.",
    copied: "Comprovante copiado",
    looking: "Procurando o comprovante",
    proof: "Código do comprovante",
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
      title: "Este comprovante não está na sua conta",
      text: "Procure nas suas movimentações ou abra o link completo.",
    },
    text: ({ kind, amount, who, reference, code }) =>
      `${kind} de ${amount}. ${who}. Referência ${reference}. Código de verificação ${code}.`,
  },
  verify: {
    name: "Verificar um comprovante",
    asking: "Verificando o comprovante",
    payer: "De",
    payee: "Para",
    compare: "Deve ser igual ao código do comprovante que mostraram a você.",
    open: "Ir para o Cupo",
    checked: "Verificado",
    incomplete: "Falta o comprovante no link. Escaneie o QR Code de novo ou abra o link completo.",
    genuine: {
      stands: { title: "Comprovante autêntico", text: "O Cupo o emitiu e o dinheiro foi movido." },
      partly: {
        title: "Autêntico, devolvido em parte",
        text: "O Cupo emitiu este comprovante, mas uma parte do dinheiro já foi devolvida.",
      },
      reversed: {
        title: "Autêntico, mas o dinheiro foi devolvido",
        text: "O Cupo emitiu este comprovante. Depois, todo o dinheiro voltou para quem pagou.",
      },
    },
    forged: {
      title: "Não é um comprovante do Cupo",
      text: "Alguém o alterou ou ele não foi emitido aqui. Não o aceite como pagamento.",
    },
  },
  summary: {
    name: "Resumo",
    lead: "Para quem você pagou e quanto, menos as devoluções. Sem transferências.",
    chart: "Os maiores pagamentos",
    table: "Todos",
    payee: "Para quem",
    payments: "Pagamentos",
    last: "Último",
    total: "Total",
    more: "Ver mais",
    empty: {
      title: "Você ainda não pagou para ninguém",
      text: "Depois do primeiro pagamento, você verá aqui para quem e quanto.",
    },
    payees: (count) => (count === 1 ? "1 pessoa ou loja" : `${count} pessoas e lojas`),
    largest: (count) => `Os ${count} maiores`,
  },
  statement: {
    title: "Extrato mensal",
    lead: "Todas as movimentações do mês, com os totais.",
    month: "Mês",
    pdf: "PDF",
    csv: "CSV",
    preparing: "Preparando o extrato",
    ready: "Extrato baixado",
    tooMany: "Este mês tem movimentações demais para um PDF. Baixe como CSV.",
    failed: "Não foi possível preparar o extrato. Tente de novo em um momento.",
  },
};
