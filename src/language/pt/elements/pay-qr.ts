import { duration } from "../../duration.ts";
import type { Words } from "../../es/elements/pay-qr.ts";

/** Portuguese of `<pay-qr>`. */
export const words: Words = {
  payTo: "Você paga para",
  loading: "Preparando seu código",
  qrName: (payee, amount) => `QR Code para pagar ${amount} para ${payee}`,
  ready: (payee, amount) => `Seu código está pronto: você paga ${amount} para ${payee}`,
  openAmount: "Você digita o valor",
  checkCode: "Código de verificação",
  checkCodeHint: "Deve ser o mesmo no seu app",
  expiresIn: "Vence em",
  timeLeft: (seconds) => `Você tem ${duration(seconds, "minuto", "segundo", "e")} para pagar.`,
  openApp: "Pagar no app",
  showCode: "Mostrar o código",
  copy: "Copiar código",
  copied: "Código copiado",
  copyByHand: "Selecione o código e copie",
  rejected: "Uma tentativa foi recusada e nada foi cobrado. O código continua valendo.",
  pending: { title: "Pagamento em andamento", text: "Falta a confirmação. Não pague de novo." },
  offline: "Sem conexão.",
  stillPayable: "O código continua valendo; o pagamento aparece depois.",
  online: "A conexão voltou.",
  checkAgain: "Consultar de novo",
  checking: "O tempo acabou. Estamos verificando se você pagou a tempo.",
  paid: "Pago",
  paidTo: (payee, amount) => `Você pagou ${amount} para ${payee}`,
  expired: { title: "O código venceu", text: "Nada foi cobrado. Peça outro código para pagar." },
  expiredUnconfirmed: {
    title: "O código venceu",
    text: "Se você pagou a tempo, seu app mostra. Se não, peça outro código.",
  },
  newCode: "Pedir outro código",
  cancelled: { title: "A cobrança foi cancelada", text: "Nada foi cobrado. Se ainda quer pagar, peça outro código." },
  failedEarly: { title: "Não conseguimos mostrar o código", text: "Tente de novo." },
  failedLate: {
    title: "Não sabemos o que houve com o pagamento",
    text: "Confira no seu app antes de pagar de novo.",
  },
  tryAgain: "Tentar de novo",
};
