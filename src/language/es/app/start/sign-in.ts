/** Spanish of a passkey's request and of the locked app. */
export const signIn = {
  // Why there is no passkey, or why the broker refuses it, and what to do.
  passkey: {
    cancelled: { title: "No se confirmó con huella o rostro", text: "Intenta de nuevo cuando quieras." },
    unsupported: {
      title: "Aquí no puedes usar huella o rostro",
      text: "Usa un celular o un navegador actualizado, con bloqueo por huella, rostro o PIN.",
    },
    already: { title: "Este dispositivo ya está activado", text: "Entra con tu huella o rostro." },
    insecure: {
      title: "En esta dirección no puedes usar huella o rostro",
      text: "Abre Cupo por https, en la dirección que te dio tu entidad.",
    },
    refused: {
      title: "Esta llave de acceso no abre ninguna cuenta",
      text: "Prueba con otra. Si la quitaste o es de otro servicio, pídele a tu entidad otra invitación.",
    },
    copied: {
      title: "Puede haber una copia de esta llave de acceso",
      text: "No se hizo nada. Congela tu cuenta desde otro dispositivo, o pídele a tu entidad que la congele.",
    },
    frozen: {
      title: "Tu cuenta está congelada",
      text: "Nadie puede pagar con ella ni verla. Lo que te envíen sigue llegando. Tu entidad puede descongelarla.",
    },
  },
  lock: {
    title: "Cupo está bloqueado",
    text: "Tu sesión sigue abierta. Ábrelo con tu huella, rostro o PIN.",
    demo: "Demostración: se abre con este botón.",
    open: "Desbloquear",
    asking: "Esperando tu huella o rostro",
  },
};
