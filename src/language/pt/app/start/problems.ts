import type { Words } from "../../../es/app/start.ts";

/** Portuguese of all that keeps a payment from being made. */
export const problems: Pick<Words, "failures" | "typing" | "looking" | "foreignScheme"> = {
  failures: {
    qr_already_paid: {
      title: "Este código já foi pago",
      text: "Seu saldo não mudou. Se você ainda precisar pagar, peça outro código.",
    },
    qr_expired: { title: "Este código venceu", text: "Seu saldo não mudou. Peça outro código." },
    qr_cancelled: { title: "Este código foi cancelado", text: "Seu saldo não mudou. Peça outro código." },
    qr_pending: { title: "Este código está sendo pago", text: "Seu saldo não mudou. Aguarde alguns instantes." },
    qr_not_found: {
      title: "Não encontramos este código",
      text: "Seu saldo não mudou. Confira a referência ou peça outro código.",
    },
    qr_not_authentic: {
      title: "Este código não é autêntico",
      text: "Foi alterado ou não foi emitido por este serviço. Seu saldo não mudou. Não pague: peça outro código.",
    },
    qr_other_payer: { title: "Este código é para outra pessoa", text: "Seu saldo não mudou. Peça um para você." },
    qr_mismatch: { title: "A cobrança mudou", text: "Seu saldo não mudou. Escaneie o código de novo." },
    own_code: { title: "Este código é seu", text: "Mostre a quem vai fazer o pagamento." },
    foreign_code: { title: "É um código de outro sistema", text: "O Cupo não pode pagá-lo. Peça um código do Cupo." },
    damaged_code: {
      title: "O código está danificado",
      text: "Escaneie de novo, mais perto ou com mais luz, ou peça outro.",
    },
    not_a_code: { title: "Não é um código de pagamento", text: "Escaneie o QR Code de quem cobra." },
    mistyped_reference: { title: "A referência tem um erro", text: "Confira as 13 letras e números." },
    unknown_service: {
      title: "É um código de outro serviço do Cupo",
      text: "Não pode ser pago aqui. Peça um código deste serviço.",
    },
    insufficient_balance: {
      title: "Seu saldo não é suficiente",
      text: "Nada foi pago e seu saldo não mudou. Peça outro código com um valor menor.",
    },
    balance_limit: {
      title: "Quem cobra não pode receber tanto",
      text: "Nada foi pago e seu saldo não mudou. Peça outro código com um valor menor.",
    },
    limit_exceeded: {
      title: "O pagamento passa do seu limite",
      text: "Nada foi pago e seu saldo não mudou. Peça outro código com um valor menor ou fale com sua instituição.",
    },
    payer_blocked: {
      title: "Seu saldo está bloqueado",
      text: "Nada foi pago e seu saldo não mudou. Fale com sua instituição.",
    },
    counterparty_limit: {
      title: "Sua instituição não pode fazer este pagamento agora",
      text: "Nada foi pago e seu saldo não mudou. Fale com sua instituição.",
    },
    not_allowed: { title: "Este pagamento não é permitido", text: "Seu saldo não mudou. Fale com sua instituição." },
    approval_expired: { title: "O tempo para aprovar acabou", text: "Nada foi pago e seu saldo não mudou." },
    approval_mismatch: {
      title: "A cobrança mudou",
      text: "Nada foi pago e seu saldo não mudou. Escaneie o código de novo.",
    },
    payment_failed: {
      title: "Não foi possível pagar",
      text: "Seu saldo não mudou. Tente de novo ou peça outro código.",
    },
    outcome_unknown: {
      title: "Ainda não sabemos se foi pago",
      text: "Não pague de novo. Consulte de novo ou veja suas movimentações em alguns minutos.",
    },
    no_connection: { title: "Sem conexão", text: "Seu saldo não mudou. Confira sua conexão e tente de novo." },
    too_many_requests: { title: "Muitas tentativas seguidas", text: "Aguarde alguns instantes e tente de novo." },
    service_unavailable: {
      title: "O serviço não responde",
      text: "Seu saldo não mudou. Tente de novo em instantes.",
    },
    something_wrong: { title: "Algo deu errado", text: "Tente de novo em instantes." },
  },
  typing: {
    insufficient_balance: "Nada foi pago e seu saldo não mudou. Tente um valor menor.",
    balance_limit: "Nada foi pago e seu saldo não mudou. Tente um valor menor.",
    limit_exceeded: "Nada foi pago e seu saldo não mudou. Tente um valor menor ou fale com sua instituição.",
  },
  looking: {
    no_connection: "Confira sua conexão e tente de novo.",
    service_unavailable: "Tente de novo em instantes.",
  },
  foreignScheme: (scheme) => ({
    title: `É um código ${scheme}`,
    text: "É válido, mas o Cupo não pode pagá-lo. Peça um código do Cupo.",
  }),
};
