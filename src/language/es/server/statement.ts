import type { Translated } from "../../translated.ts";

/** Spanish of statements. */
export const words = {
  tag: "es-CO",
  title: "Extracto mensual",
  opening: "Cupo inicial",
  moneyIn: "Entradas",
  moneyOut: "Salidas",
  closing: "Cupo final",
  soFar: "Cupo hasta ahora",
  columns: {
    day: "Día",
    time: "Hora",
    counterparty: "Con quién",
    kind: "Tipo",
    reference: "Referencia",
    amount: "Monto",
    currency: "Moneda",
    balance: "Cupo después",
    note: "Nota",
    id: "ID",
  },
  kind: {
    payment: "Pago",
    batch: "Pago",
    recharge: "Recarga",
    qr: "Pago con QR",
    refund: "Devolución",
    transfer: "Transferencia",
    credit: "Crédito",
    deposit: "Depósito",
    repayment: "Pago de crédito",
    payout: "Retiro",
    cancellation: "Crédito anulado",
  },
  none: "Este mes no hubo movimientos.",
  asOf: (when: string) => `Al ${when}`,
  page: (number: number, count: number) => `Página ${number} de ${count}`,
  movements: (count: number) => (count === 1 ? "1 movimiento" : `${count} movimientos`),
};

/** Every word of a statement. */
export type Words = Translated<typeof words>;
