import { duration } from "../../duration.ts";
import type { Translated } from "../../translated.ts";

/** Spanish of `<pay-qr>`. */
export const words = {
  payTo: "Pagas a",
  loading: "Preparando tu código",
  qrName: (payee: string, amount: string) => `Código QR para pagar ${amount} a ${payee}`,
  ready: (payee: string, amount: string) => `Tu código está listo: pagas ${amount} a ${payee}`,
  openAmount: "Tú escribes el monto",
  checkCode: "Código de verificación",
  checkCodeHint: "Debe ser el mismo en tu app",
  expiresIn: "Vence en",
  timeLeft: (seconds: number) => `Tienes ${duration(seconds, "minuto", "segundo", "y")} para pagar.`,
  openApp: "Pagar en la app",
  showCode: "Mostrar el código",
  copy: "Copiar código",
  copied: "Código copiado",
  copyByHand: "Selecciona el código y cópialo",
  rejected: "Un intento fue rechazado y no se cobró nada. El código sigue sirviendo.",
  pending: { title: "Pago en proceso", text: "Falta que se confirme. No pagues otra vez." },
  offline: "Sin conexión.",
  stillPayable: "El código sigue sirviendo; el pago se verá después.",
  online: "Volvió la conexión.",
  checkAgain: "Consultar de nuevo",
  checking: "Se acabó el tiempo. Revisamos si alcanzaste a pagar.",
  paid: "Pagado",
  paidTo: (payee: string, amount: string) => `Pagaste ${amount} a ${payee}`,
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

/** Every sentence of `<pay-qr>`. */
export type Words = Translated<typeof words>;
