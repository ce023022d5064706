/** Spanish of all that keeps a payment from being made. */
export const problems = {
  // Failures of the payment of a code that contains the amount.
  failures: {
    qr_already_paid: {
      title: "Este código ya se pagó",
      text: "Tu cupo no cambió. Si aún tienes que pagar, pide otro código.",
    },
    qr_expired: { title: "Este código venció", text: "Tu cupo no cambió. Pide otro código." },
    qr_cancelled: { title: "Este código fue cancelado", text: "Tu cupo no cambió. Pide otro código." },
    qr_pending: { title: "Este código tiene un pago en proceso", text: "Tu cupo no cambió. Espera un momento." },
    qr_not_found: {
      title: "No encontramos este código",
      text: "Tu cupo no cambió. Revisa la referencia o pide otro código.",
    },
    qr_not_authentic: {
      title: "Este código no es auténtico",
      text: "Fue alterado o no lo emitió este servicio. Tu cupo no cambió. No lo pagues: pide otro código.",
    },
    qr_other_payer: { title: "Este código es para otra persona", text: "Tu cupo no cambió. Pide uno para ti." },
    qr_mismatch: { title: "El cobro cambió", text: "Tu cupo no cambió. Escanea el código de nuevo." },
    own_code: { title: "Este código es tuyo", text: "Muéstraselo a quien te va a pagar." },
    foreign_code: { title: "Es un código de otro sistema", text: "Cupo no puede pagarlo. Pide un código de Cupo." },
    damaged_code: { title: "El código está dañado", text: "Escanéalo de nuevo, más cerca o con más luz, o pide otro." },
    not_a_code: { title: "No es un código de pago", text: "Escanea el código QR que te muestra quien cobra." },
    mistyped_reference: { title: "La referencia tiene un error", text: "Revisa las 13 letras y números." },
    unknown_service: {
      title: "Es un código de otro servicio de Cupo",
      text: "Aquí no se puede pagar. Pide un código de este servicio.",
    },
    insufficient_balance: {
      title: "Tu cupo no alcanza",
      text: "No se pagó y tu cupo no cambió. Pide otro código por un monto menor.",
    },
    balance_limit: {
      title: "Quien cobra no puede recibir tanto",
      text: "No se pagó y tu cupo no cambió. Pide otro código por un monto menor.",
    },
    limit_exceeded: {
      title: "El pago supera tu límite",
      text: "No se pagó y tu cupo no cambió. Pide otro código por un monto menor o habla con tu entidad.",
    },
    payer_blocked: {
      title: "Tu cupo está bloqueado",
      text: "No se pagó y tu cupo no cambió. Habla con tu entidad.",
    },
    counterparty_limit: {
      title: "Tu entidad no puede hacer este pago por ahora",
      text: "No se pagó y tu cupo no cambió. Habla con tu entidad.",
    },
    not_allowed: { title: "Este pago no está permitido", text: "Tu cupo no cambió. Habla con tu entidad." },
    approval_expired: { title: "Se acabó el tiempo para aprobar", text: "No se pagó y tu cupo no cambió." },
    approval_mismatch: {
      title: "El cobro cambió",
      text: "No se pagó y tu cupo no cambió. Escanea el código de nuevo.",
    },
    payment_failed: {
      title: "No se pudo pagar",
      text: "Tu cupo no cambió. Intenta de nuevo o pide otro código.",
    },
    outcome_unknown: {
      title: "Aún no sabemos si se pagó",
      text: "No pagues otra vez. Consulta de nuevo o mira tus movimientos en unos minutos.",
    },
    no_connection: { title: "Sin conexión", text: "Tu cupo no cambió. Revisa tu conexión e intenta de nuevo." },
    too_many_requests: { title: "Demasiados intentos seguidos", text: "Espera un momento e intenta de nuevo." },
    service_unavailable: {
      title: "El servicio no responde",
      text: "Tu cupo no cambió. Intenta de nuevo en un momento.",
    },
    something_wrong: { title: "Algo salió mal", text: "Intenta de nuevo en un momento." },
  },
  // Replacement texts where the person typed the amount and can type another.
  typing: {
    insufficient_balance: "No se pagó y tu cupo no cambió. Prueba con un monto menor.",
    balance_limit: "No se pagó y tu cupo no cambió. Prueba con un monto menor.",
    limit_exceeded: "No se pagó y tu cupo no cambió. Prueba con un monto menor o habla con tu entidad.",
  },
  // Replacement texts where no money was to move.
  looking: {
    no_connection: "Revisa tu conexión e intenta de nuevo.",
    service_unavailable: "Intenta de nuevo en un momento.",
  },
  // The sentence for a sound code of another payment scheme, such as PIX.
  foreignScheme: (scheme: string) => ({
    title: `Es un código ${scheme}`,
    text: "Es válido, pero Cupo no puede pagarlo. Pide un código de Cupo.",
  }),
};
