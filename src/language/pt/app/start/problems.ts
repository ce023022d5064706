import type { Words } from "../../../es/app/start.ts";

/** Portuguese of all that keeps a payment from being made. */
export const problems: Pick<Words, "failures" | "typing" | "looking" | "foreignScheme"> = {
  failures: {
    qr_already_paid: {
      title: "Este código já foi pago",
      text: "Seu limite não mudou. Se falta um pagamento, peça outro código.",
    },
    qr_expired: { title: "Este código venceu", text: "Seu limite não mudou. Peça outro código." },
    qr_cancelled: { title: "Este código foi cancelado", text: "Seu limite não mudou. Peça outro código." },
    qr_pending: { title: "Este código está sendo pago", text: "Seu limite não mudou. Espere um momento." },
    qr_not_found: {
      title: "Não conhecemos este código",
      text: "Seu limite não mudou. Confira a referência ou peça outro código.",
    },
    qr_not_authentic: {
      title: "Este código não é autêntico",
      text: "Foi alterado ou não foi emitido por este serviço. Seu limite não mudou. Não pague: peça outro código.",
    },
    qr_other_payer: { title: "Este código é para outra pessoa", text: "Seu limite não mudou. Peça um para você." },
    qr_mismatch: { title: "A cobrança mudou", text: "Seu limite não mudou. Escaneie o código de novo." },
    own_code: { title: "Este código é seu", text: "Mostre a quem vai pagar você." },
    foreign_code: { title: "É um código de outro sistema", text: "O Cupo não pode pagá-lo. Peça um código do Cupo." },
    damaged_code: {
      title: "O código está danificado",
      text: "Escaneie de novo, mais perto ou com mais luz, ou peça outro.",
    },
    not_a_code: { title: "Não é um código de pagamento", text: "Escaneie o código QR que mostra quem cobra." },
    mistyped_reference: { title: "A referência tem um erro", text: "Confira suas 13 letras e números." },
    unknown_service: {
      title: "É um código de outro serviço Cupo",
      text: "Não pode ser pago aqui. Peça um código deste.",
    },
    insufficient_balance: {
      title: "Seu limite não é suficiente",
      text: "Nada foi pago e seu limite não mudou. Peça outro código com um valor menor.",
    },
    balance_limit: {
      title: "Quem cobra não pode receber tanto",
      text: "Nada foi pago e seu limite não mudou. Peça outro código com um valor menor.",
    },
    limit_exceeded: {
      title: "O pagamento passa do seu limite",
      text: "Nada foi pago e seu limite não mudou. Peça outro código com um valor menor ou fale com sua entidade.",
    },
    payer_blocked: {
      title: "Seu limite não está ativo",
      text: "Nada foi pago e seu limite não mudou. Sua entidade diz como regularizar.",
    },
    counterparty_limit: {
      title: "Sua entidade não pode fazer este pagamento agora",
      text: "Nada foi pago e seu limite não mudou. Fale com sua entidade.",
    },
    not_allowed: { title: "Este pagamento não é permitido", text: "Seu limite não mudou. Fale com sua entidade." },
    approval_expired: { title: "O tempo para aprovar acabou", text: "Nada foi pago e seu limite não mudou." },
    approval_mismatch: {
      title: "A cobrança mudou",
      text: "Nada foi pago e seu limite não mudou. Escaneie o código de novo.",
    },
    payment_failed: {
      title: "Não foi possível pagar",
      text: "Seu limite não mudou. Tente de novo ou peça outro código.",
    },
    outcome_unknown: {
      title: "Ainda não sabemos se foi pago",
      text: "Não pague outra vez. Consulte de novo ou veja seu histórico em alguns minutos.",
    },
    no_connection: { title: "Sem conexão", text: "Para isto você precisa de conexão. Seu limite não mudou." },
    too_many_requests: { title: "Muitas tentativas seguidas", text: "Espere um momento e tente de novo." },
    service_unavailable: {
      title: "O serviço não responde",
      text: "Seu limite não mudou. Tente de novo em um momento.",
    },
    something_wrong: { title: "Algo deu errado", text: "Tente de novo em um momento." },
  },
  typing: {
    insufficient_balance: "Nada foi pago e seu limite não mudou. Tente um valor menor.",
    balance_limit: "Nada foi pago e seu limite não mudou. Tente um valor menor.",
    limit_exceeded: "Nada foi pago e seu limite não mudou. Tente um valor menor ou fale com sua entidade.",
  },
  looking: {
    no_connection: "Confira sua conexão e tente de novo.",
    service_unavailable: "Tente de novo em um momento.",
  },
  foreignScheme: (scheme) => ({
    title: `É um código ${scheme}`,
    text: "Está certo, mas o Cupo não pode pagá-lo. Peça um código do Cupo.",
  }),
};
