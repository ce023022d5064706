import type { Translated } from "../../translated.ts";

const unchanged = "Tu cupo no cambió.";

/** Spanish of the pages that approve, beyond what Confirm needs at once. */
export const words = {
  transfer: {
    title: "Transferir",
    payTo: "Transfieres a",
    paying: "Transfiriendo",
    lead: "Transfiérele parte de tu cupo a otra persona en Cupo.",
    by: "Buscar por",
    phone: "Celular",
    nit: "NIT o cédula",
    phoneHint: "Con el indicativo si es de otro país, por ejemplo +593 99 123 4567.",
    numberMissing: "Escribe el número completo.",
    recents: "Transferir otra vez",
    find: "Buscar",
    finding: "Buscando",
    compareName: "Compara el nombre con el de la persona antes de seguir.",
    askAmount: "¿Cuánto le vas a transferir?",
    wholeAmount: "Escribe un monto entero, sin centavos.",
    note: "Nota (opcional)",
    noteSent: "Nota",
    noteHint: "La ven los dos.",
    other: "Buscar a otra persona",
    nobody: { title: "Nadie tiene ese número en Cupo", text: "Revísalo, dígito por dígito." },
    pay: (amount: string) => `Transferir ${amount}`,
    firstTime: (payee: string) => `Es tu primera transferencia a ${payee}: revisa que sea quien esperas.`,
    paidTo: "Transferiste a",
    receipt: (amount: string, payee: string, reference: string) =>
      `Transferencia de ${amount} a ${payee}, referencia ${reference}.`,
    failures: {
      not_allowed: { title: "No puedes transferir a tu propia cuenta", text: `${unchanged} Busca a otra persona.` },
      insufficient_balance: {
        title: "Tu cupo no alcanza",
        text: `No se transfirió nada. ${unchanged} Prueba con un monto menor.`,
      },
      balance_limit: {
        title: "Esa persona no puede recibir tanto",
        text: `No se transfirió nada. ${unchanged} Prueba con un monto menor.`,
      },
      payer_blocked: {
        title: "Tu cupo está bloqueado",
        text: `No se transfirió nada. ${unchanged} Habla con tu entidad.`,
      },
      approval_expired: {
        title: "Se acabó el tiempo para aprobar",
        text: `No se transfirió nada. ${unchanged} Intenta de nuevo.`,
      },
      approval_mismatch: {
        title: "La transferencia cambió",
        text: `No se transfirió nada. ${unchanged} Empieza de nuevo.`,
      },
      payment_failed: { title: "No se pudo transferir", text: `${unchanged} Intenta de nuevo en un momento.` },
      outcome_unknown: {
        title: "Aún no sabemos si se transfirió",
        text: "No lo hagas otra vez. Consulta de nuevo o mira tus movimientos en unos minutos.",
      },
    },
  },
  refund: {
    title: "Devolver",
    payTo: "Devuelves a",
    paying: "Devolviendo",
    reading: "Consultando el pago",
    askAmount: "¿Cuánto vas a devolver?",
    tooMuch: "Escribe un monto que no supere lo que queda.",
    received: "Recibiste",
    left: (amount: string) => `Puedes devolver hasta ${amount}.`,
    pay: (amount: string) => `Devolver ${amount}`,
    firstTime: () => "",
    paidTo: "Devolviste a",
    receipt: (amount: string, payee: string, reference: string) =>
      `Devolución de ${amount} a ${payee}, referencia ${reference}.`,
    failures: {
      not_allowed: { title: "Esta devolución no está permitida", text: `${unchanged} Habla con tu entidad.` },
      insufficient_balance: {
        title: "Tu cupo no alcanza para devolver",
        text: `No se devolvió nada. ${unchanged} Prueba con un monto menor.`,
      },
      balance_limit: {
        title: "Quien pagó no puede recibir tanto",
        text: `No se devolvió nada. ${unchanged} Prueba con un monto menor.`,
      },
      approval_expired: {
        title: "Se acabó el tiempo para aprobar",
        text: `No se devolvió nada. ${unchanged} Intenta de nuevo.`,
      },
      approval_mismatch: { title: "La devolución cambió", text: `No se devolvió nada. ${unchanged} Empieza de nuevo.` },
      payment_failed: { title: "No se pudo devolver", text: `${unchanged} Intenta de nuevo en un momento.` },
      outcome_unknown: {
        title: "Aún no sabemos si se devolvió",
        text: "No lo hagas otra vez. Consulta de nuevo o mira tus movimientos en unos minutos.",
      },
    },
  },
  failures: {
    over_limit: { title: "El monto supera tu límite", text: `No se movió nada. ${unchanged}` },
    device_too_new: {
      title: "Este dispositivo aún no puede pagar",
      text: `${unchanged} Aprueba desde un dispositivo que ya tenías, o espera.`,
    },
    look_up_expired: { title: "Pasaron más de cinco minutos", text: `${unchanged} Busca a la persona de nuevo.` },
    not_received: { title: "No encontramos este pago", text: `Solo puedes devolver pagos que recibiste. ${unchanged}` },
    not_reversible: {
      title: "Este pago ya no se puede devolver",
      text: `Ya se devolvió todo, o no llegó. ${unchanged}`,
    },
    refund_too_large: {
      title: "Queda menos por devolver",
      text: `No se devolvió nada. ${unchanged} Empieza de nuevo.`,
    },
  },
  // Why the passkey did not approve; after each of them the payment can still be approved.
  fault: {
    not_sent: "Tu aprobación no llegó y no se movió nada: aprueba de nuevo.",
    cancelled: "No se confirmó con huella o rostro. No se movió nada: puedes aprobar de nuevo.",
    unsupported: "Aquí no puedes usar huella o rostro. No se movió nada: aprueba en tu celular u otro dispositivo.",
    already: "No se confirmó con huella o rostro. No se movió nada: puedes aprobar de nuevo.",
    insecure: "En esta dirección no puedes usar huella o rostro. No se movió nada: abre Cupo por https.",
    refused: "Esa llave de acceso no sirve para aprobar. No se movió dinero. Prueba con otra de tus llaves de acceso.",
    copied:
      "Puede haber una copia de esa llave de acceso. Tu cupo no cambió. Congela tu cuenta y avísale a tu entidad.",
  },
  demo: "Demostración: apruebas con este botón.",
  proving: "Esperando tu huella o rostro",
  provingText: "Aprueba con tu huella, rostro o PIN.",
  mayPayFrom: (when: string) => `Este dispositivo es nuevo: podrás aprobar aquí desde ${when}`,
  overLimit: {
    payment_limit: (left: string) => `Tu entidad permite hasta ${left} por pago.`,
    daily_limit: (left: string) => `Hoy tu entidad te permite pagar hasta ${left} más.`,
    transfer_limit: (left: string) => `Tu entidad permite hasta ${left} por transferencia.`,
    personal_payment_limit: (left: string) => `Tu límite por pago es ${left}.`,
    personal_daily_limit: (left: string) => `Te quedan ${left} de tu límite de hoy.`,
    first_payee_limit: (left: string) => `Por ahora puedes pagarle hasta ${left} a quien nunca le has pagado.`,
    new_device_limit: (left: string) => `Este dispositivo es nuevo: por ahora puedes pagar hasta ${left}.`,
  },
  // When more of a limit becomes available.
  moreFrom: (when: string) => `Tendrás más desde ${when}`,
  // Quota that is left after the payment, or is missing for it.
  after: (amount: string) => `Te quedarán ${amount}`,
  short: (missing: string) => `No te alcanza: te faltan ${missing}.`,
  getMore: "Haz una recarga en un comercio, pídele más cupo a tu entidad o recibe un pago con tu código.",
  receive: "Mostrar mi código para recibir",
  // The merchant whose code is paid, below the name of the user who gets the money.
  atMerchant: (name: string) => `en ${name}`,
  backToShop: (name: string) => `Volver a la tienda: ${name}`,
  yourLimits: "Ver mis límites",
  savedOnHome:
    "Lo guardamos en Inicio, solo en este dispositivo: confírmalo cuando tengas conexión. " +
    "Se pierde si el navegador borra los datos de Cupo.",
  online: "Volvió la conexión. Revisa y aprueba cuando quieras.",
  // The code was paid by the same person, in another tab or earlier.
  paidByYou: { title: "Ya pagaste este código", text: "No hace falta pagarlo otra vez." },
  // While it is unknown who paid.
  paidByWhom: "Mira en tus movimientos si lo pagaste tú.",
  paidByOther: "Lo pagó otra persona. Tu cupo no cambió. Si aún tienes que pagar, pide otro código.",
  balance: "Te quedan",
  seeReceipt: "Ver el comprobante",
};

/** Texts of the pages that approve, beyond what Confirm needs at once. */
export type Words = Translated<typeof words>;
