import type { EntryWords } from "./entry-words.ts";

/** Portuguese of the entry pages. */
export const entry: EntryWords = {
  passkey: {
    cancelled: { title: "A passkey não foi usada", text: "Tente de novo quando quiser." },
    unsupported: {
      title: "Aqui não há passkeys",
      text: "Use um celular ou um navegador atualizado, com bloqueio por digital, rosto ou PIN.",
    },
    already: { title: "Este dispositivo já tem a sua passkey", text: "Você não precisa de outra: entre com ela." },
    insecure: {
      title: "Neste endereço não se pode usar uma passkey",
      text: "Abra o Cupo por https, no endereço que a sua entidade informou.",
    },
    refused: {
      title: "Esta passkey não abre nenhuma conta",
      text: "Tente outra. Se você a removeu ou ela é de outro serviço, peça um novo convite à sua entidade.",
    },
    copied: {
      title: "Pode haver uma cópia desta passkey",
      text: "Nada foi feito. Congele sua conta em outro dispositivo, ou peça à sua entidade que a congele.",
    },
    frozen: {
      title: "Sua conta está congelada",
      text: "Ninguém paga com ela nem a vê. O que enviarem chega. Peça à sua entidade que a descongele.",
    },
  },
  lock: {
    title: "O Cupo está bloqueado",
    text: "A sua sessão continua aberta. Abra com a sua digital, o seu rosto ou o seu PIN.",
    demo: "Demonstração: este botão abre.",
    open: "Desbloquear",
  },
};
