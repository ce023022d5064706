import type { Translated } from "../../translated.ts";

/**
 * Spanish of `<recharge-form>`; `%` is a placeholder. Texts named like a code of the broker, or like the reason of a
 * payment, explain it.
 */
export const words = {
  loading: "Un momento",
  phone: "Celular",
  nit: "NIT",
  find: "Buscar",
  invalid_request: "Escribe el número completo.",
  user_not_found: "Nadie tiene ese número.",
  too_many_requests: "Espera % segundos.",
  look_up_expired: "Pasó mucho tiempo.",
  failed: "La caja no está disponible",
  rechargeTo: "Recarga para",
  amount: "Monto",
  over_most: "Vende hasta %.",
  unreadable_amount: "Escribe un monto como %.",
  next: "Continuar",
  change: "Cambiar",
  confirm: "Revisa y confirma",
  sell: "Vender %",
  unsure: "Aún no sabemos si se vendió",
  asking: "Seguimos revisando. No se vende dos veces.",
  offline: "Sin conexión.",
  online: "Volvió la conexión.",
  askNow: "Consultar de nuevo",
  receipt: "Recarga hecha",
  another: "Otra recarga",
  rejected: "No se hizo la recarga",
  insufficient_balance: "A la caja no le alcanza.",
  limit_exceeded: "El monto supera el límite de la caja.",
  not_allowed: "La caja no puede hacerlo.",
  payer_blocked: "La caja está bloqueada.",
  nothingMoved: "No se movió dinero.",
  tryAgain: "Intentar de nuevo",
  today: "Recargas de hoy",
};

/** Every sentence of `<recharge-form>`. */
export type Words = Translated<typeof words>;
