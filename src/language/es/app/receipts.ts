import type { Translated } from "../../translated.ts";

/** Spanish of a receipt, of the page that checks one, and of the summary with its monthly statement. */
export const words = {
  receipt: {
    name: "Comprobante",
    note: "Nota",
    merchant: "Comercio",
    kind: "Tipo",
    print: "Imprimir",
    refund: "Devolver",
    again: "Transferir otra vez",
    original: "Ver el pago",
    left: "Queda",
    qrLabel: "Código QR para verificar este comprobante",
    scan: "Quien lo escanee verá si el comprobante es auténtico y si el dinero se devolvió.",
    copied: "Comprobante copiado",
    looking: "Buscando el comprobante",
    proof: "Código del comprobante",
    state: {
      paid: "Pagado",
      sent: "Enviado",
      received: "Recibido",
      partly: "Devuelto en parte",
      reversed: "Devuelto",
      rejected: "No se pagó",
      pending: "Pendiente",
    },
    unknown: {
      title: "Este comprobante no está en tu cuenta",
      text: "Búscalo en tus movimientos o abre el enlace completo.",
    },
    text: ({
      kind,
      amount,
      who,
      reference,
      code,
    }: Readonly<Record<"kind" | "amount" | "who" | "reference" | "code", string>>) =>
      `${kind} de ${amount}. ${who}, referencia ${reference}. Código de verificación ${code}.`,
  },
  // The person's own name for the other party.
  nickname: {
    add: "Ponerle un apodo",
    label: "Apodo",
    hint: "Solo tú lo ves. Déjalo vacío para quitarlo.",
    save: "Guardar",
    saved: "Apodo guardado",
    removed: "Se quitó el apodo",
    fault: "Escríbelo en un solo alfabeto, con al menos una letra o un número.",
    failed: "No se pudo guardar. Intenta de nuevo en un momento.",
    full: "Ya tienes 200 apodos. Quita uno antes.",
  },
  verify: {
    name: "Verificar un comprobante",
    asking: "Verificando el comprobante",
    payer: "De",
    payee: "Para",
    compare: "Debe ser igual al código del comprobante que te muestran.",
    open: "Ir a Cupo",
    checked: "Verificado",
    incomplete: "El enlace está incompleto. Escanea el código QR de nuevo o abre el enlace completo.",
    // As the payment of a genuine receipt stands now.
    genuine: {
      stands: { title: "Comprobante auténtico", text: "Cupo lo emitió y el dinero se movió." },
      partly: {
        title: "Auténtico, devuelto en parte",
        text: "Cupo emitió este comprobante, pero ya se devolvió una parte del dinero.",
      },
      reversed: {
        title: "Auténtico, pero el dinero se devolvió",
        text: "Cupo emitió este comprobante. Después, todo el dinero volvió a quien pagó.",
      },
    },
    forged: {
      title: "No es un comprobante de Cupo",
      text: "Alguien lo cambió o no se emitió aquí. No lo aceptes como pago.",
    },
  },
  summary: {
    name: "Resumen",
    lead: "A quién le has pagado y cuánto, menos lo que te devolvieron. Sin transferencias.",
    chart: "A quiénes les has pagado más",
    table: "Todos",
    payee: "A quién",
    payments: "Pagos",
    last: "Último",
    total: "Total",
    more: "Ver más",
    empty: {
      title: "Aún no le has pagado a nadie",
      text: "Después de tu primer pago verás aquí a quién y cuánto.",
    },
    payees: (count: number) => (count === 1 ? "1 persona o comercio" : `${count} personas y comercios`),
    // Below a chart that does not show all.
    largest: (count: number) => `Los ${count} más grandes`,
  },
  statement: {
    title: "Extracto mensual",
    lead: "Todos los movimientos del mes, con sus totales.",
    month: "Mes",
    pdf: "PDF",
    csv: "CSV",
    preparing: "Preparando el extracto",
    ready: "Extracto descargado",
    tooMany: "Este mes tiene demasiados movimientos para un PDF. Descárgalo como CSV.",
    notClosed: "Este mes se está cerrando. Pide su extracto en unos minutos.",
    failed: "No se pudo preparar el extracto. Intenta de nuevo en un momento.",
  },
};

/** Texts of a receipt, the page that checks one, and the summary with its monthly statement. */
export type Words = Translated<typeof words>;
