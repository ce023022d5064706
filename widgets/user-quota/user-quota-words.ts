import type { QuotaMovement, QuotaSession } from "../../src/contract/broker/broker.ts";
import type { Outcome } from "../shared/card-view.ts";
import type { Language } from "../shared/language.ts";

/** Every sentence of `<user-quota>` in one language. */
export interface UserQuotaWords {
  readonly loading: string;
  readonly available: string;
  readonly quota: string;
  readonly held: string;
  readonly none: string;
  readonly score: string;
  readonly ofMost: string;
  readonly mask: string;
  readonly hidden: string;
  readonly status: Readonly<Record<QuotaSession["status"], string>>;
  readonly movements: string;
  readonly noMovements: string;
  readonly sent: string;
  readonly received: string;
  readonly kind: Readonly<Record<QuotaMovement["kind"], string>>;
  /** Status of a payment that is not simply approved. */
  readonly outcome: Readonly<Record<Exclude<QuotaMovement["status"], "approved">, string>>;
  readonly today: string;
  readonly asOf: string;
  readonly refresh: string;
  readonly offline: string;
  readonly refused: Outcome;
  readonly failed: Outcome;
  readonly tryAgain: string;
}

const spanish: UserQuotaWords = {
  loading: "Cargando tu cupo",
  available: "Cupo disponible",
  quota: "Cupo",
  held: "Retenido",
  none: "Aún no tienes cupo",
  score: "Puntaje",
  ofMost: "de 1000",
  mask: "Ocultar los montos",
  hidden: "oculto",
  status: { active: "Al día", arrear: "En mora", default: "Mora prolongada" },
  movements: "Últimos movimientos",
  noMovements: "Aún no hay movimientos",
  sent: "A",
  received: "De",
  kind: { payment: "Pago", batch: "Pago", recharge: "Recarga", qr: "Pago con QR", refund: "Devolución" },
  outcome: { pending: "Pendiente", rejected: "No se pagó", reversed: "Devuelto" },
  today: "hoy",
  asOf: "Actualizado",
  refresh: "Actualizar",
  offline: "Sin conexión",
  refused: { title: "Este comercio no puede ver tu cupo", text: "Conéctalo desde su página." },
  failed: { title: "No pudimos mostrar tu cupo", text: "Tu cupo no cambió. Intenta de nuevo." },
  tryAgain: "Intentar de nuevo",
};

const english: UserQuotaWords = {
  loading: "Loading your quota",
  available: "Available quota",
  quota: "Quota",
  held: "On hold",
  none: "You have no quota yet",
  score: "Score",
  ofMost: "of 1000",
  mask: "Hide the amounts",
  hidden: "hidden",
  status: { active: "In order", arrear: "Late", default: "In default" },
  movements: "Last movements",
  noMovements: "No movements yet",
  sent: "To",
  received: "From",
  kind: { payment: "Payment", batch: "Payment", recharge: "Top-up", qr: "QR payment", refund: "Refund" },
  outcome: { pending: "Pending", rejected: "Not paid", reversed: "Refunded" },
  today: "today",
  asOf: "Updated",
  refresh: "Update",
  offline: "No connection",
  refused: { title: "This shop cannot see your quota", text: "Connect it from the shop's page." },
  failed: { title: "We could not show your quota", text: "Your quota has not changed. Try again." },
  tryAgain: "Try again",
};

const portuguese: UserQuotaWords = {
  loading: "Carregando seu limite",
  available: "Limite disponível",
  quota: "Limite",
  held: "Retido",
  none: "Você ainda não tem limite",
  score: "Pontuação",
  ofMost: "de 1000",
  mask: "Ocultar os valores",
  hidden: "oculto",
  status: { active: "Em dia", arrear: "Em atraso", default: "Inadimplente" },
  movements: "Últimos movimentos",
  noMovements: "Ainda não há movimentos",
  sent: "Para",
  received: "De",
  kind: {
    payment: "Pagamento",
    batch: "Pagamento",
    recharge: "Recarga",
    qr: "Pagamento com QR",
    refund: "Devolução",
  },
  outcome: { pending: "Pendente", rejected: "Não foi pago", reversed: "Devolvido" },
  today: "hoje",
  asOf: "Atualizado",
  refresh: "Atualizar",
  offline: "Sem conexão",
  refused: { title: "Esta loja não pode ver seu limite", text: "Conecte-o pela página da loja." },
  failed: { title: "Não conseguimos mostrar seu limite", text: "Seu limite não mudou. Tente de novo." },
  tryAgain: "Tentar de novo",
};

/** The sentences by language. */
export const userQuotaWords: Readonly<Record<Language, UserQuotaWords>> = Object.freeze({
  es: spanish,
  en: english,
  pt: portuguese,
});
