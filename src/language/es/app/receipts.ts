import type { Translated } from "../../translated.ts";

/** Spanish of a receipt, of the page that checks one, and of the summary with its monthly statement. */
export const words = {
  receipt: {
    name: "Recibo",
    note: "Nota",
    kind: "Qué",
    print: "Imprimir",
    refund: "Devolver",
    original: "Ver el pago",
    left: "Queda",
    qrLabel: "Código QR para comprobar este recibo",
    scan: "Quien lo escanee ve si el recibo es auténtico y si el dinero se devolvió.",
    copied: "Recibo copiado",
    looking: "Buscando el recibo",
    proof: "Código del recibo",
    state: {
      paid: "Pagado",
      sent: "Enviado",
      received: "Recibido",
      partly: "Devuelto en parte",
      reversed: "Devuelto",
      rejected: "No se pagó",
      pending: "Pendiente",
    },
    unknown: { title: "Este recibo no está en tu cuenta", text: "Búscalo en tu historial o abre el enlace completo." },
    text: ({
      kind,
      amount,
      who,
      reference,
      code,
    }: Readonly<Record<"kind" | "amount" | "who" | "reference" | "code", string>>) =>
      `${kind} de ${amount}. ${who}. Referencia ${reference}. Código de verificación ${code}.`,
  },
  verify: {
    name: "Comprobar un recibo",
    asking: "Comprobando el recibo",
    payer: "De",
    payee: "Para",
    compare: "Debe ser igual al código del recibo que te muestran.",
    open: "Ir a Cupo",
    checked: "Comprobado",
    incomplete: "Al enlace le falta el recibo. Escanea el QR de nuevo o abre el enlace completo.",
    // As the payment of a genuine receipt stands now.
    genuine: {
      stands: { title: "Recibo auténtico", text: "Cupo lo emitió y el dinero se movió." },
      partly: {
        title: "Auténtico, devuelto en parte",
        text: "Cupo emitió este recibo, pero una parte del dinero ya se devolvió.",
      },
      reversed: {
        title: "Auténtico, pero el dinero se devolvió",
        text: "Cupo emitió este recibo. Después, todo el dinero volvió a quien pagó.",
      },
    },
    forged: {
      title: "No es un recibo de Cupo",
      text: "Alguien lo cambió o no se emitió aquí. No lo tomes como un pago.",
    },
  },
  summary: {
    name: "Resumen",
    lead: "A quién has pagado y cuánto, menos lo que te devolvieron. Sin transferencias.",
    chart: "Los pagos más grandes",
    table: "Todos",
    payee: "A quién",
    payments: "Pagos",
    last: "Último",
    total: "Total",
    more: "Ver más",
    empty: { title: "Aún no has pagado a nadie", text: "Después de tu primer pago verás aquí a quién y cuánto." },
    payees: (count: number) => (count === 1 ? "1 persona o comercio" : `${count} personas y comercios`),
    // Below a chart that does not show all.
    largest: (count: number) => `Los ${count} más grandes`,
  },
  statement: {
    title: "Extracto mensual",
    lead: "Todo lo que se movió en el mes, con sus totales.",
    month: "Mes",
    pdf: "PDF",
    csv: "CSV",
    preparing: "Preparando el extracto",
    ready: "Extracto descargado",
    tooMany: "Este mes tiene demasiados movimientos para un PDF. Descárgalo como CSV.",
    failed: "No se pudo preparar el extracto. Intenta de nuevo en un momento.",
  },
};

/** Texts of a receipt, the page that checks one, and the summary with its monthly statement. */
export type Words = Translated<typeof words>;
