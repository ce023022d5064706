import type { StatementMovement } from "./statement.ts";

/** A language that statements are written in. */
export type StatementLanguage = "es" | "en" | "pt";

/** Every word of a statement. */
export interface StatementWords {
  /** BCP 47 tag, which writes the dates. */
  readonly tag: string;
  readonly title: string;
  readonly received: string;
  readonly sent: string;
  readonly difference: string;
  /** The heads of the table, on paper and in a spreadsheet. */
  readonly columns: Readonly<
    Record<
      "day" | "time" | "counterparty" | "kind" | "reference" | "amount" | "currency" | "balance" | "note" | "id",
      string
    >
  >;
  readonly kind: Readonly<Record<StatementMovement["kind"], string>>;
  readonly none: string;
  readonly asOf: (when: string) => string;
  readonly page: (number: number, count: number) => string;
  readonly movements: (count: number) => string;
}

const es: StatementWords = {
  tag: "es-CO",
  title: "Extracto mensual",
  received: "Recibido",
  sent: "Enviado",
  difference: "Diferencia",
  columns: {
    day: "Día",
    time: "Hora",
    counterparty: "Con quién",
    kind: "Qué",
    reference: "Referencia",
    amount: "Monto",
    currency: "Moneda",
    balance: "Cupo después",
    note: "Nota",
    id: "Id",
  },
  kind: {
    payment: "Pago",
    batch: "Pago",
    recharge: "Recarga",
    qr: "Pago con QR",
    refund: "Devolución",
    transfer: "Transferencia",
  },
  none: "Este mes no hubo movimientos.",
  asOf: (when) => `Al ${when}`,
  page: (number, count) => `Página ${number} de ${count}`,
  movements: (count) => (count === 1 ? "1 movimiento" : `${count} movimientos`),
};

const en: StatementWords = {
  tag: "en-GB",
  title: "Monthly statement",
  received: "Received",
  sent: "Sent",
  difference: "Difference",
  columns: {
    day: "Day",
    time: "Time",
    counterparty: "With whom",
    kind: "What",
    reference: "Reference",
    amount: "Amount",
    currency: "Currency",
    balance: "Quota after",
    note: "Note",
    id: "Id",
  },
  kind: {
    payment: "Payment",
    batch: "Payment",
    recharge: "Top-up",
    qr: "QR payment",
    refund: "Refund",
    transfer: "Transfer",
  },
  none: "Nothing moved this month.",
  asOf: (when) => `As of ${when}`,
  page: (number, count) => `Page ${number} of ${count}`,
  movements: (count) => (count === 1 ? "1 movement" : `${count} movements`),
};

const pt: StatementWords = {
  tag: "pt-BR",
  title: "Extrato mensal",
  received: "Recebido",
  sent: "Enviado",
  difference: "Diferença",
  columns: {
    day: "Dia",
    time: "Hora",
    counterparty: "Com quem",
    kind: "O quê",
    reference: "Referência",
    amount: "Valor",
    currency: "Moeda",
    balance: "Limite depois",
    note: "Nota",
    id: "Id",
  },
  kind: {
    payment: "Pagamento",
    batch: "Pagamento",
    recharge: "Recarga",
    qr: "Pagamento com QR",
    refund: "Devolução",
    transfer: "Transferência",
  },
  none: "Neste mês não houve movimentos.",
  asOf: (when) => `Em ${when}`,
  page: (number, count) => `Página ${number} de ${count}`,
  movements: (count) => (count === 1 ? "1 movimento" : `${count} movimentos`),
};

const languages: Readonly<Record<StatementLanguage, StatementWords>> = Object.freeze({ es, en, pt });

/** The words of a statement; Spanish where no language was asked for. */
export function statementWords(language: StatementLanguage = "es"): StatementWords {
  return languages[language];
}
