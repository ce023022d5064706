import type { Translated } from "../../translated.ts";

/** Spanish of what merchants alone are shown. */
export const words = {
  today: "Ventas de hoy",
  charge: "Cobrar",
  byDay: "Por día",
  refundsTaken: "Cada devolución se resta del día de su venta.",
  lastSales: "Últimas ventas",
  sales: (count: number) => (count === 1 ? "1 venta" : `${count} ventas`),
};

/** Texts of a merchant's Home. */
export type Words = Translated<typeof words>;
