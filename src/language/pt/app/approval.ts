import type { Words } from "../../es/app/approval.ts";

const unchanged = "Seu saldo não mudou.";

/** Portuguese of the pages that approve, beyond what Confirm needs at once. */
export const words: Words = {
  transfer: {
    title: "Transferir",
    payTo: "Você transfere para",
    paying: "Transferindo",
    lead: "Transfira parte do seu saldo para outra pessoa no Cupo.",
    by: "Buscar por",
    phone: "Celular",
    nit: "NIT ou documento",
    phoneHint: "Com o código do país se for de fora, por exemplo +593 99 123 4567.",
    numberMissing: "Digite o número completo.",
    recents: "Transferir de novo",
    find: "Buscar",
    finding: "Buscando",
    compareName: "Compare o nome com o da pessoa antes de continuar.",
    askAmount: "Quanto você vai transferir?",
    wholeAmount: "Digite um valor inteiro, sem centavos.",
    note: "Mensagem (opcional)",
    noteSent: "Mensagem",
    noteHint: "Vocês dois podem ver.",
    other: "Buscar outra pessoa",
    nobody: { title: "Ninguém tem esse número no Cupo", text: "Confira dígito por dígito." },
    pay: (amount) => `Transferir ${amount}`,
    firstTime: (payee) => `É sua primeira transferência para ${payee}: confira se é quem você espera.`,
    paidTo: "Você transferiu para",
    receipt: (amount, payee, reference) => `Transferência de ${amount} para ${payee}, referência ${reference}.`,
    failures: {
      not_allowed: {
        title: "Você não pode transferir para sua própria conta",
        text: `${unchanged} Busque outra pessoa.`,
      },
      insufficient_balance: {
        title: "Seu saldo não é suficiente",
        text: `Nada foi transferido. ${unchanged} Tente um valor menor.`,
      },
      balance_limit: {
        title: "Essa pessoa não pode receber esse valor",
        text: `Nada foi transferido. ${unchanged} Tente um valor menor.`,
      },
      payer_blocked: {
        title: "Seu saldo está bloqueado",
        text: `Nada foi transferido. ${unchanged} Fale com sua instituição.`,
      },
      approval_expired: {
        title: "O tempo para aprovar acabou",
        text: `Nada foi transferido. ${unchanged} Tente de novo.`,
      },
      approval_mismatch: {
        title: "A transferência mudou",
        text: `Nada foi transferido. ${unchanged} Comece de novo.`,
      },
      payment_failed: { title: "Não foi possível transferir", text: `${unchanged} Tente de novo em instantes.` },
      outcome_unknown: {
        title: "Ainda não sabemos se a transferência foi feita",
        text: "Não repita a transferência. Consulte de novo ou veja suas movimentações em alguns minutos.",
      },
    },
  },
  refund: {
    title: "Devolver",
    payTo: "Você devolve para",
    paying: "Devolvendo",
    reading: "Consultando o pagamento",
    askAmount: "Quanto você vai devolver?",
    tooMuch: "Digite um valor que não passe do que resta.",
    received: "Você recebeu",
    left: (amount) => `Você pode devolver até ${amount}.`,
    pay: (amount) => `Devolver ${amount}`,
    firstTime: () => "",
    paidTo: "Você devolveu para",
    receipt: (amount, payee, reference) => `Devolução de ${amount} para ${payee}, referência ${reference}.`,
    failures: {
      not_allowed: { title: "Esta devolução não é permitida", text: `${unchanged} Fale com sua instituição.` },
      insufficient_balance: {
        title: "Seu saldo não é suficiente para devolver",
        text: `Nada foi devolvido. ${unchanged} Tente um valor menor.`,
      },
      balance_limit: {
        title: "Quem pagou não pode receber esse valor",
        text: `Nada foi devolvido. ${unchanged} Tente um valor menor.`,
      },
      approval_expired: {
        title: "O tempo para aprovar acabou",
        text: `Nada foi devolvido. ${unchanged} Tente de novo.`,
      },
      approval_mismatch: { title: "A devolução mudou", text: `Nada foi devolvido. ${unchanged} Comece de novo.` },
      payment_failed: { title: "Não foi possível devolver", text: `${unchanged} Tente de novo em instantes.` },
      outcome_unknown: {
        title: "Ainda não sabemos se foi devolvido",
        text: "Não repita a devolução. Consulte de novo ou veja suas movimentações em alguns minutos.",
      },
    },
  },
  failures: {
    over_limit: { title: "O valor passa do seu limite", text: `Nada foi movimentado. ${unchanged}` },
    device_too_new: {
      title: "Este dispositivo ainda não pode pagar",
      text: `${unchanged} Aprove em um dispositivo que você já tinha, ou aguarde.`,
    },
    look_up_expired: { title: "Passaram-se mais de cinco minutos", text: `${unchanged} Busque a pessoa de novo.` },
    not_received: {
      title: "Não encontramos este pagamento",
      text: `Você só pode devolver pagamentos que recebeu. ${unchanged}`,
    },
    not_reversible: {
      title: "Este pagamento não pode mais ser devolvido",
      text: `Já foi totalmente devolvido ou não chegou. ${unchanged}`,
    },
    refund_too_large: { title: "Resta menos para devolver", text: `Nada foi devolvido. ${unchanged} Comece de novo.` },
  },
  fault: {
    not_sent: "Sua aprovação não chegou e nada foi movimentado: aprove de novo.",
    cancelled: "Não foi confirmado com digital ou rosto. Nada foi movimentado: você pode aprovar de novo.",
    unsupported: "Aqui você não pode usar digital ou rosto. Nada foi movimentado: aprove em outro dispositivo.",
    already: "Não foi confirmado com digital ou rosto. Nada foi movimentado: você pode aprovar de novo.",
    insecure: "Neste endereço você não pode usar digital ou rosto. Nada foi movimentado: abra o Cupo por https.",
    refused:
      "Essa chave de acesso não serve para aprovar. Nenhum valor foi movimentado. Tente com outra das suas chaves.",
    copied:
      "Pode haver uma cópia dessa chave de acesso. Seu saldo não mudou. Congele sua conta e avise sua instituição.",
  },
  demo: "Demonstração: você aprova com este botão.",
  proving: "Aguardando sua digital ou rosto",
  provingText: "Aprove com sua digital, rosto ou PIN.",
  mayPayFrom: (when) => `Este dispositivo é novo: você poderá aprovar aqui a partir de ${when}.`,
  overLimit: {
    payment_limit: (left) => `Sua instituição permite até ${left} por pagamento.`,
    daily_limit: (left) => `Hoje sua instituição permite pagar mais ${left}.`,
    transfer_limit: (left) => `Sua instituição permite até ${left} por transferência.`,
    personal_payment_limit: (left) => `Seu limite por pagamento é ${left}.`,
    personal_daily_limit: (left) => `Restam ${left} do seu limite de hoje.`,
    first_payee_limit: (left) => `Por enquanto, você pode pagar até ${left} para quem você nunca pagou.`,
    new_device_limit: (left) => `Este dispositivo é novo: por enquanto você pode pagar até ${left}.`,
  },
  moreFrom: (when) => `Você terá mais a partir de ${when}.`,
  after: (amount) => `Você vai ficar com ${amount}`,
  short: (missing) => `Seu saldo não é suficiente: faltam ${missing}.`,
  getMore: "Faça uma recarga em uma loja, peça mais saldo à sua instituição ou receba com seu código.",
  receive: "Mostrar meu código para receber",
  // The merchant whose code is paid, below the name of the user who gets the money.
  atMerchant: (name: string) => `em ${name}`,
  backToShop: (name: string) => `Voltar à loja: ${name}`,
  yourLimits: "Ver meus limites",
  savedOnHome:
    "Guardamos em Início, só neste dispositivo: confirme quando tiver conexão. " +
    "Ele se perde se o navegador apagar os dados do Cupo.",
  online: "A conexão voltou. Confira e aprove quando quiser.",
  paidByYou: { title: "Você já pagou este código", text: "Não é preciso pagar de novo." },
  paidByWhom: "Veja nas suas movimentações se foi você.",
  paidByOther: "Outra pessoa pagou. Seu saldo não mudou. Se você ainda precisar pagar, peça outro código.",
  balance: "Saldo restante",
  seeReceipt: "Ver o comprovante",
};
