import type { Words } from "../../../es/app/start.ts";

/** Portuguese of the welcome page, of a passkey's request and of the locked app. */
export const signIn: Pick<Words, "welcome" | "passkey" | "lock"> = {
  welcome: {
    title: "Pague com seu limite",
    lead: "Escaneie, veja a quem e quanto, e aprove.",
    interrupted: "Sua sessão terminou enquanto você aprovava. Não pague de novo: entre e dizemos o que aconteceu.",
    demo: "Ou experimente com uma pessoa de demonstração:",
    signIn: "Entrar com passkey",
    asking: "Esperando a sua passkey",
    invitedText: "É a sua primeira vez? Abra o link de convite que a sua entidade enviou.",
    notKept: {
      title: "Este navegador não guardou a sua sessão",
      text: "Permita os cookies desta página e entre de novo. Nada foi feito.",
    },
    continueAs: (name) => `Continuar como ${name} (demo)`,
    roles: { payer: "Paga com seu limite", merchant: "Recebe em sua loja" },
    operator: { title: "Você entrou como operador", text: "As páginas do operador chegam em uma versão posterior." },
  },
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
