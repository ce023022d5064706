import type { KeptWords } from "./kept-words.ts";

/** Spanish of the texts about data kept on the device. */
export const kept: KeptWords = {
  kept: {
    older: "Trayendo los movimientos anteriores",
    search: "Buscar",
    searchHint: "Nombre o monto",
    filters: "Filtros",
    kind: "Tipo",
    anyKind: "Todos",
    month: "Mes",
    anyMonth: "Todos",
    clear: "Quitar filtros",
    partlyRefunded: "Devuelto en parte",
    transfer: "Transferir",
    summary: "Resumen",
    profile: "Perfil",
    shortcuts: "Atajos",
    understood: "Entendido",
    review: "Revisar",
    noMatch: { title: "Nada coincide", text: "Prueba con otra palabra o quita los filtros." },
    staleSince: (when) => `Sin actualizar desde ${when}`,
    found: (count) => (count === 1 ? "1 movimiento" : `${count} movimientos`),
    trouble: {
      full: "No queda espacio en este dispositivo: sin conexión no verás tus movimientos. Libera espacio.",
      broken: "Este navegador no guarda datos: sin conexión no verás tus movimientos.",
    },
    firstRun: {
      title: "Haz tu primer pago",
      scan: "Escanea el código QR de quien cobra.",
      look: "Mira a quién y cuánto.",
      approve: "Aprueba. El recibo queda aquí.",
      start: "Escanear un código",
    },
    newDevices: "Hay un dispositivo nuevo en tu cuenta. Si no es tuyo, quítalo.",
    selling: "Un comercio quiere vender recargas con tu cupo. Tú decides.",
    mayPayFrom: (when) => `Este dispositivo podrá pagar desde ${when}.`,
    sent: {
      unknown: (amount, payee) => `No sabemos aún si se hizo el pago de ${amount} a ${payee}. No pagues otra vez.`,
      see: "Ver qué pasó",
    },
    drafts: {
      title: "Por confirmar",
      openAmount: "Monto abierto",
      expired: "El código venció",
      saved: "Lo guardamos en Inicio para que lo confirmes con conexión.",
      until: (when) => `Vence ${when}`,
      confirm: (payee) => `Confirmar el pago a ${payee}`,
      drop: (payee) => `Quitar el pago a ${payee}`,
    },
  },
};
