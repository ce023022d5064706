import type { Translated } from "../../translated.ts";

/** Spanish of the enrolment pages and of the pages about the account itself. */
export const words = {
  enrol: {
    name: "Tu invitación",
    lead: "Activa este dispositivo para entrar a Cupo con tu huella, rostro o PIN. Sin contraseñas.",
    delayed: "Ya tienes Cupo en otro dispositivo: allí te avisaremos. Este podrá pagar más tarde.",
    operator: "Con esta invitación entras como operador.",
    code: "Código de seis dígitos",
    codeHint: "Te lo dieron aparte: no está en el enlace.",
    codeMissing: "Escribe los seis dígitos.",
    device: "Nombre de este dispositivo",
    make: "Activar huella o rostro",
    making: "Esperando tu huella o rostro",
    stillGood: "Tu invitación sigue sirviendo.",
    signIn: "Entrar con huella o rostro",
    doneText: "Ya puedes entrar a Cupo en este dispositivo.",
    next: "Continuar",
    skip: "Omitir",
    guideTitle: "Así funciona",
    start: "Empezar",
    hello: (name: string) => `Hola, ${name}`,
    wrong: (triesLeft: number) =>
      `Ese no es el código. ${triesLeft === 1 ? "Te queda un intento" : `Te quedan ${triesLeft} intentos`}.`,
    over: {
      title: "Esta invitación ya no sirve",
      text: "Se usó, venció o tuvo cinco códigos equivocados. Si ya la usaste, entra; si no, pide otra.",
    },
    // After a reload the secret is no longer in the address of the page.
    missing: {
      title: "Abre el enlace otra vez",
      text: "Por seguridad, la invitación no queda en la dirección. Vuelve al enlace o al código QR que te dieron.",
    },
    waiting: {
      title: "Falta una segunda aprobación",
      text: "Otra persona de tu entidad debe aprobar esta invitación. Consulta de nuevo en unos minutos.",
    },
    // The browser is an operator's, which may not accept an invitation.
    notHere: {
      title: "Aquí entraste como operador",
      text: "Abre la invitación en el dispositivo de la persona, o cierra primero tu sesión de operador.",
    },
    done: (name: string) => `Listo, ${name}`,
    payFrom: (when: string) => `Podrá pagar desde ${when} Mientras tanto puedes ver tus movimientos y recibir.`,
    guide: {
      quota: { title: "Tu cupo", text: "Es el dinero que tu entidad te da para pagar. Siempre ves cuánto te queda." },
      paying: {
        title: "Para pagar",
        text: "Escanea el código, revisa a quién le pagas y cuánto, y aprueba con tu huella o rostro.",
      },
      receiving: {
        title: "Para recibir",
        text: "Muestra tu código en Mi QR, con monto o sin él. Te avisamos cuando llegue el pago.",
      },
    },
  },
  profile: { name: "Perfil", demo: "Entraste como persona de demostración, sin huella ni rostro." },
  devices: {
    title: "Tus dispositivos",
    current: "Este dispositivo",
    unused: "Aún no se ha usado.",
    rename: "Cambiar nombre",
    newName: "Nombre del dispositivo",
    nameFault: {
      title: "Este nombre no sirve",
      text: "Escríbelo en un solo alfabeto, con al menos una letra o un número.",
    },
    save: "Guardar",
    cancel: "Cancelar",
    remove: "Quitar",
    invite: "Agregar otro dispositivo",
    inviteText: "Con el otro dispositivo, escanea este código QR o abre el enlace. Luego escribe allí el código.",
    code: "Código",
    codeText: "No lo mandes junto con el enlace.",
    qrLabel: "Código QR de la invitación",
    copy: "Copiar enlace",
    over: "La invitación venció. Crea otra.",
    none: "Aún no hay dispositivos con huella o rostro.",
    added: (when: string) => `Agregado: ${when}`,
    used: (when: string) => `Usado: ${when}`,
    payFrom: (when: string) => `Podrá pagar desde ${when}`,
    isNew: {
      title: "Hay un dispositivo nuevo en tu cuenta",
      text: "Todavía no puede pagar. Si no fuiste tú, quítalo ahora y avísale a tu entidad.",
    },
    removing: (name: string) => ({
      title: `¿Quitar ${name}?`,
      text: "Ya no podrá entrar a tu cuenta y se cerrarán sus sesiones. Tu dinero no cambia.",
    }),
    removed: (name: string) => `${name} ya no puede entrar a tu cuenta.`,
    renamed: (name: string) => `Ahora se llama ${name}`,
    expiresIn: (time: string) => `Vence en ${time}`,
    tooNew: {
      title: "Este dispositivo es muy nuevo",
      text: "Mientras no pueda pagar, no puede cambiar otros dispositivos ni subir límites. Usa el anterior.",
    },
    last: { title: "Es el único que puede pagar", text: "Agrega otro dispositivo antes de quitar este." },
    inFirstDay: {
      title: "Todavía no se puede quitar",
      text: "Tiene menos de un día. ¿No es tuyo? Congela tu cuenta y pídele a tu entidad que quite tus dispositivos.",
    },
  },
  sessions: {
    title: "Sesiones abiertas",
    current: "Aquí",
    unknown: "Navegador desconocido",
    end: "Cerrar",
    ended: "Se cerró la sesión.",
    endOthers: "Cerrar todas las demás",
    othersEnded: (count: number) => (count === 1 ? "Se cerró una sesión." : `Se cerraron ${count} sesiones.`),
    active: (when: string) => `Activa ${when}`,
  },
  // The list of permissions for merchants to show the quota.
  grants: {
    revoke: "Quitar",
    unused: "Todavía no lo ha consultado.",
    none: { title: "Nadie más ve tu cupo", text: "Los comercios a los que se lo permitas aparecerán aquí." },
    since: (when: string) => `Desde ${when}`,
    until: (when: string) => `Hasta ${when}`,
    used: (when: string) => `Última consulta: ${when}`,
    revoked: (merchant: string) => `${merchant} ya no ve tu cupo.`,
    asking: (merchant: string) => ({
      title: `¿Quitar el permiso a ${merchant}?`,
      text: "Dejará de ver tu cupo de inmediato. Para volver a verlo tendrá que pedírtelo otra vez.",
    }),
  },
  // Consent that a merchant sells top-ups from the person's quota.
  selling: {
    title: "Ventas con tu cupo",
    asks: (merchant: string) => ({
      title: `${merchant} quiere usar tu cupo para vender recargas`,
      text: "Sus cajas podrán usar tu cupo, dentro de tus límites, sin preguntarte. Permítelo solo si es tu comercio.",
    }),
    pages: (origins: string) => `Sus páginas: ${origins}`,
    keys: (keys: string) => `Sus claves de servidor: ${keys}`,
    agree: "Permitir",
    refuse: "Rechazar",
    agreed: "Lo permitiste.",
    refused: "Lo rechazaste.",
  },
  limits: {
    title: "Tus límites",
    lead: "Para subirlos, o para bajarlos mucho, te pedimos tu huella o rostro.",
    payment: "Por pago",
    day: "Por día",
    first_time_payee: "A alguien por primera vez",
    none: "Sin límite",
    own: "Tu límite",
    save: "Guardar",
    clear: "Quitar mi límite",
    saved: "Límite guardado.",
    upTo: (amount: string) => `Hasta ${amount}`,
    ofEntity: (amount: string) => `Tu entidad permite hasta ${amount}.`,
    change: (limit: string) => `Cambiar: ${limit}`,
    spent: (amount: string) => `Hoy aprobaste ${amount} en la app.`,
    newDevice: (left: string, when: string) => `Con un dispositivo nuevo puedes pagar ${left} más hasta ${when}`,
    aboveEntity: (amount: string) => `Tu entidad permite hasta ${amount}. Escribe un monto menor.`,
  },
  freeze: {
    title: "Congelar mi cuenta",
    text: "Hazlo si perdiste un dispositivo o alguien más entró a tu cuenta. Lo que te envíen sigue llegando.",
    ask: "Congelar mi cuenta",
    confirm: "Congelar",
    failed: "No sabemos si se congeló. Intenta de nuevo, o pídele a tu entidad que la congele ya.",
    asking: {
      title: "¿Congelar tu cuenta?",
      text: "Nadie podrá pagar con ella ni verla, tampoco aquí. Solo tu entidad puede descongelarla.",
    },
  },
  // Changes to devices, sessions, limits, grants and freezes.
  changes: {
    title: "Cambios en tu cuenta",
    none: "Todavía no ha cambiado nada.",
    here: "Aquí",
    kinds: {
      device_invited: "Se invitó un dispositivo",
      device_added: "Se agregó un dispositivo",
      device_removed: "Se quitó un dispositivo",
      device_renamed: "Cambió el nombre de un dispositivo",
      session_ended: "Se cerró una sesión",
      limits_changed: "Cambiaron tus límites",
      grant_given: "Un comercio puede ver tu cupo",
      grant_ended: "Un comercio ya no ve tu cupo",
      frozen: "La cuenta se congeló",
      unfrozen: "La cuenta se descongeló",
    },
  },
  arrivals: {
    title: "Avisos",
    sound: "Sonido",
    sounds: { none: "Ninguno", tones: "Tono", says: "Tono y monto en voz alta" },
    soundText: "Con la app abierta, cuando recibes un pago.",
    push: "Notificaciones",
    pushText: "Con la app cerrada. No dicen cuánto ni de quién.",
    pushRefused: "Tu navegador bloquea las notificaciones de Cupo: actívalas en la configuración del navegador.",
    pushFailed: {
      title: "No se pudieron activar las notificaciones",
      text: "El servicio de notificaciones del navegador no respondió. Intenta más tarde.",
    },
  },
  install: {
    title: "Instalar Cupo",
    text: "Se abre como una app, también sin conexión.",
    ask: "Instalar",
    // For Safari on an iPhone.
    byHand:
      "En Safari, toca Compartir y luego Agregar a inicio: se abre como una app, también sin conexión. " +
      "Los enlaces de pago se siguen abriendo en Safari.",
  },
  settings: {
    title: "En este dispositivo",
    language: "Idioma",
    theme: "Apariencia",
    lock: "Bloqueo automático",
    lockNow: "Bloquear ahora",
    lockText: "Se abre con tu huella o rostro. No se bloquea mientras escaneas, pagas o muestras tu código.",
    themes: { system: "Automática", light: "Clara", dark: "Oscura" },
    lockAfter: { 0: "Nunca", 1: "1 minuto", 5: "5 minutos", 15: "15 minutos" },
  },
};

/** Texts of the enrolment pages and the pages about the account itself. */
export type Words = Translated<typeof words>;
