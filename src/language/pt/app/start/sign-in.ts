import type { Words } from "../../../es/app/start.ts";

/** Portuguese of a passkey's request and of the locked app. */
export const signIn: Pick<Words, "passkey" | "lock"> = {
  passkey: {
    cancelled: { title: "Não foi confirmado com digital ou rosto", text: "Tente de novo quando quiser." },
    unsupported: {
      title: "Aqui você não pode usar digital ou rosto",
      text: "Use um celular ou um navegador atualizado, com bloqueio por digital, rosto ou PIN.",
    },
    already: { title: "Este dispositivo já está ativado", text: "Entre com sua digital ou rosto." },
    insecure: {
      title: "Neste endereço você não pode usar digital ou rosto",
      text: "Abra o Cupo por https, no endereço que sua instituição informou.",
    },
    refused: {
      title: "Esta chave de acesso não abre nenhuma conta",
      text: "Tente outra. Se você a removeu ou ela é de outro serviço, peça um novo convite à sua instituição.",
    },
    copied: {
      title: "Pode haver uma cópia desta chave de acesso",
      text: "Nada foi feito. Congele sua conta em outro dispositivo, ou peça à sua instituição que a congele.",
    },
    frozen: {
      title: "Sua conta está congelada",
      text: "Ninguém pode pagar com ela nem vê-la. O que enviarem continua chegando. Só sua instituição a descongela.",
    },
  },
  lock: {
    title: "O Cupo está bloqueado",
    text: "Sua sessão continua aberta. Abra com sua digital, rosto ou PIN.",
    demo: "Demonstração: este botão abre.",
    open: "Desbloquear",
    asking: "Aguardando sua digital ou rosto",
  },
};
