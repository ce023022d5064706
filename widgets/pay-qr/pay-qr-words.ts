import type { Outcome } from "../shared/card-view.ts";
import type { Language } from "../shared/language.ts";

/** Every sentence of `<pay-qr>` in one language. */
export interface PayQrWords {
  readonly payTo: string;
  readonly loading: string;
  qrName(payee: string, amount: string): string;
  ready(payee: string, amount: string): string;
  readonly openAmount: string;
  readonly checkCode: string;
  readonly checkCodeHint: string;
  readonly expiresIn: string;
  timeLeft(seconds: number): string;
  readonly openApp: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyByHand: string;
  readonly rejected: string;
  readonly pending: Outcome;
  readonly offline: string;
  readonly stillPayable: string;
  readonly online: string;
  readonly lookNow: string;
  readonly checking: string;
  readonly paid: string;
  paidTo(payee: string, amount: string): string;
  readonly today: string;
  readonly expired: Outcome;
  readonly expiredUnconfirmed: Outcome;
  readonly newCode: string;
  readonly cancelled: Outcome;
  readonly failedEarly: Outcome;
  readonly failedLate: Outcome;
  readonly tryAgain: string;
}

const spanish: PayQrWords = {
  payTo: "Pagas a",
  loading: "Preparando tu código",
  qrName: (payee, amount) => `Código QR para pagar ${amount} a ${payee}`,
  ready: (payee, amount) => `Tu código está listo: pagas ${amount} a ${payee}.`,
  openAmount: "Tú escribes el valor",
  checkCode: "Código de verificación",
  checkCodeHint: "Debe ser el mismo en tu app",
  expiresIn: "Vence en",
  timeLeft: (seconds) => `Tienes ${duration(seconds, "minuto", "segundo", "y")} para pagar.`,
  openApp: "Pagar en la app",
  copy: "Copiar código",
  copied: "Código copiado",
  copyByHand: "Selecciona el código y cópialo",
  rejected: "Un intento fue rechazado y no se cobró. El código sigue sirviendo.",
  pending: { title: "Pago en proceso", text: "Falta que se confirme. No pagues otra vez." },
  offline: "Sin conexión.",
  stillPayable: "El código sigue sirviendo; el pago se verá después.",
  online: "Volvió la conexión.",
  lookNow: "Revisar ahora",
  checking: "Se acabó el tiempo. Revisamos si alcanzaste a pagar.",
  paid: "Pagado",
  paidTo: (payee, amount) => `Pagaste ${amount} a ${payee}.`,
  today: "hoy",
  expired: { title: "El código venció", text: "No se cobró nada. Pide otro código para pagar." },
  expiredUnconfirmed: {
    title: "El código venció",
    text: "Si alcanzaste a pagar, lo ves en tu app. Si no, pide otro código.",
  },
  newCode: "Pedir otro código",
  cancelled: { title: "El cobro se canceló", text: "No se cobró nada. Si aún quieres pagar, pide otro código." },
  failedEarly: { title: "No pudimos mostrar el código", text: "Intenta de nuevo." },
  failedLate: {
    title: "No sabemos en qué quedó el pago",
    text: "Revisa tus movimientos en la app antes de pagar otra vez.",
  },
  tryAgain: "Intentar de nuevo",
};

const english: PayQrWords = {
  payTo: "You pay",
  loading: "Getting your code ready",
  qrName: (payee, amount) => `QR code to pay ${amount} to ${payee}`,
  ready: (payee, amount) => `Your code is ready: you pay ${amount} to ${payee}.`,
  openAmount: "You type the amount",
  checkCode: "Check code",
  checkCodeHint: "It must be the same in your app",
  expiresIn: "Expires in",
  timeLeft: (seconds) => `You have ${duration(seconds, "minute", "second", "and")} left to pay.`,
  openApp: "Pay in the app",
  copy: "Copy code",
  copied: "Code copied",
  copyByHand: "Select the code and copy it",
  rejected: "An attempt was rejected and nothing was charged. The code still works.",
  pending: { title: "Payment under way", text: "It is still to be confirmed. Do not pay again." },
  offline: "No connection.",
  stillPayable: "The code still works; the payment will show later.",
  online: "The connection is back.",
  lookNow: "Check now",
  checking: "Time is up. We are checking whether you paid in time.",
  paid: "Paid",
  paidTo: (payee, amount) => `You paid ${amount} to ${payee}.`,
  today: "today",
  expired: { title: "The code has expired", text: "Nothing was charged. Get a new code to pay." },
  expiredUnconfirmed: {
    title: "The code has expired",
    text: "If you paid in time, your app shows it. If not, get a new code.",
  },
  newCode: "Get a new code",
  cancelled: {
    title: "The payment was cancelled",
    text: "Nothing was charged. If you still want to pay, get a new code.",
  },
  failedEarly: { title: "We could not show the code", text: "Try again." },
  failedLate: {
    title: "We do not know what became of the payment",
    text: "Look at the movements in your app before you pay again.",
  },
  tryAgain: "Try again",
};

const portuguese: PayQrWords = {
  payTo: "Você paga a",
  loading: "Preparando seu código",
  qrName: (payee, amount) => `Código QR para pagar ${amount} a ${payee}`,
  ready: (payee, amount) => `Seu código está pronto: você paga ${amount} a ${payee}.`,
  openAmount: "Você digita o valor",
  checkCode: "Código de verificação",
  checkCodeHint: "Deve ser o mesmo no seu app",
  expiresIn: "Vence em",
  timeLeft: (seconds) => `Você tem ${duration(seconds, "minuto", "segundo", "e")} para pagar.`,
  openApp: "Pagar no app",
  copy: "Copiar código",
  copied: "Código copiado",
  copyByHand: "Selecione o código e copie",
  rejected: "Uma tentativa foi recusada e nada foi cobrado. O código continua valendo.",
  pending: { title: "Pagamento em andamento", text: "Falta a confirmação. Não pague de novo." },
  offline: "Sem conexão.",
  stillPayable: "O código continua valendo; o pagamento aparece depois.",
  online: "A conexão voltou.",
  lookNow: "Verificar agora",
  checking: "O tempo acabou. Estamos verificando se você pagou a tempo.",
  paid: "Pago",
  paidTo: (payee, amount) => `Você pagou ${amount} a ${payee}.`,
  today: "hoje",
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
    text: "Veja os movimentos no seu app antes de pagar de novo.",
  },
  tryAgain: "Tentar de novo",
};

/** The sentences by language. */
export const payQrWords: Readonly<Record<Language, PayQrWords>> = Object.freeze({
  es: spanish,
  en: english,
  pt: portuguese,
});

/** `3 minutos`, `1 minuto y 30 segundos`, `30 segundos`: all three languages make these plurals with an s. */
function duration(seconds: number, minute: string, second: string, and: string): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const parts = [
    ...(minutes > 0 ? [`${minutes} ${minute}${minutes === 1 ? "" : "s"}`] : []),
    ...(rest > 0 ? [`${rest} ${second}${rest === 1 ? "" : "s"}`] : []),
  ];
  return parts.join(` ${and} `);
}
