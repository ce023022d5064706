import type { KeptWords } from "./kept-words.ts";

/** Portuguese of the texts about data kept on the device. */
export const kept: KeptWords = {
  kept: {
    older: "Buscando os movimentos anteriores",
    search: "Buscar",
    searchHint: "Nome ou valor",
    filters: "Filtros",
    kind: "Tipo",
    anyKind: "Todos",
    month: "Mês",
    anyMonth: "Todos",
    clear: "Limpar filtros",
    partlyRefunded: "Devolvido em parte",
    transfer: "Transferir",
    summary: "Resumo",
    profile: "Perfil",
    shortcuts: "Atalhos",
    understood: "Entendi",
    review: "Revisar",
    noMatch: { title: "Nada encontrado", text: "Tente outra palavra ou limpe os filtros." },
    staleSince: (when) => `Sem atualizar desde ${when}`,
    found: (count) => (count === 1 ? "1 movimento" : `${count} movimentos`),
    trouble: {
      full: "Não há espaço neste dispositivo: sem conexão você não verá seus movimentos. Libere espaço.",
      broken: "Este navegador não guarda dados: sem conexão você não verá seus movimentos.",
    },
    firstRun: {
      title: "Faça seu primeiro pagamento",
      scan: "Escaneie o código QR de quem recebe.",
      look: "Veja para quem e quanto.",
      approve: "Aprove. O recibo fica aqui.",
      start: "Escanear um código",
    },
    newDevices: "Há um dispositivo novo na sua conta. Se não for seu, remova-o.",
    selling: "Um comércio quer vender recargas com seu limite. Você decide.",
    mayPayFrom: (when) => `Este dispositivo poderá pagar a partir de ${when}.`,
    sent: {
      unknown: (amount, payee) =>
        `Ainda não sabemos se o pagamento de ${amount} a ${payee} foi feito. Não pague de novo.`,
      see: "Ver o que aconteceu",
    },
    drafts: {
      title: "A confirmar",
      openAmount: "Valor aberto",
      expired: "O código venceu",
      saved: "Guardamos em Início para você confirmar com conexão.",
      until: (when) => `Vence ${when}`,
      confirm: (payee) => `Confirmar o pagamento a ${payee}`,
      drop: (payee) => `Remover o pagamento a ${payee}`,
    },
  },
};
