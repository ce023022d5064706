import type { Translated } from "../../translated.ts";

/** Spanish of `<user-quota>`. */
export const words = {
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
  // Status of a payment that is not simply approved.
  outcome: { pending: "Pendiente", rejected: "No se pagó", reversed: "Devuelto" },
  asOf: "Actualizado",
  refresh: "Actualizar",
  offline: "Sin conexión",
  refused: { title: "Este comercio no puede ver tu cupo", text: "Conéctalo desde su página." },
  failed: { title: "No pudimos mostrar tu cupo", text: "Tu cupo no cambió. Intenta de nuevo." },
  tryAgain: "Intentar de nuevo",
};

/** Every sentence of `<user-quota>`. */
export type Words = Translated<typeof words>;
