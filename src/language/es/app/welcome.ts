import type { Translated } from "../../translated.ts";

/** Spanish of the welcome page. */
export const words = {
  title: "Paga con tu cupo",
  lead: "Escanea, revisa a quién le pagas y cuánto, y aprueba.",
  interrupted: "Tu sesión terminó mientras aprobabas. No pagues otra vez: entra y te decimos qué pasó.",
  demo: "O prueba con una persona de demostración:",
  signIn: "Entrar con huella o rostro",
  invitedText: "¿Es tu primera vez? Abre el enlace de invitación que te dio tu entidad.",
  // The browser dropped the session's cookie.
  notKept: {
    title: "Este navegador no guardó tu sesión",
    text: "Permite las cookies de esta página y entra otra vez. No se movió dinero.",
  },
  // A person without their phone, signed in nowhere on this device.
  lost: {
    title: "Perdí mi celular",
    elsewhere: {
      title: "Si tienes Cupo en otro dispositivo",
      text: "Ábrelo allí y, en Perfil, congela tu cuenta: nadie podrá pagar con ella ni verla.",
    },
    synced: {
      title: "Si tu llave de acceso también está en este dispositivo",
      text: "Apple o Google la llevan a tus dispositivos. Entra y congela tu cuenta, o cierra las demás sesiones.",
      enter: "Proteger mi cuenta",
    },
    neither: {
      title: "Si no tienes ni lo uno ni lo otro",
      text: "Llama ya a tu entidad, por el canal de siempre, y pídele que congele tu cuenta.",
    },
    after: "Lo que te envíen sigue llegando. Después, tu entidad te invita en tu celular nuevo.",
  },
  continueAs: (name: string) => `Continuar como ${name} (demo)`,
  roles: { payer: "Paga con su cupo", merchant: "Recibe en su tienda" },
  // Notice for a person who signed in as an operator.
  operator: { title: "Entraste como operador", text: "Las páginas del operador llegarán en otra versión." },
};

/** Texts of the welcome page. */
export type Words = Translated<typeof words>;
