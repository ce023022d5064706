import type { Words } from "../../es/app/welcome.ts";

/** Portuguese of the welcome page. */
export const words: Words = {
  title: "Pague com seu saldo",
  lead: "Escaneie, confira quem recebe e quanto, e aprove.",
  interrupted: "Sua sessão terminou enquanto você aprovava. Não pague de novo: entre e diremos o que aconteceu.",
  demo: "Ou experimente com uma pessoa de demonstração:",
  signIn: "Entrar com digital ou rosto",
  invitedText: "É a sua primeira vez? Abra o link de convite que sua instituição enviou.",
  notKept: {
    title: "Este navegador não guardou sua sessão",
    text: "Permita os cookies desta página e entre de novo. Nenhum dinheiro foi movimentado.",
  },
  lost: {
    title: "Perdi meu celular",
    elsewhere: {
      title: "Se você tem o Cupo em outro dispositivo",
      text: "Abra-o lá e, em Perfil, congele sua conta: ninguém poderá pagar com ela nem vê-la.",
    },
    synced: {
      title: "Se sua chave de acesso também está neste dispositivo",
      text: "A Apple ou o Google a levam a seus dispositivos. Entre e congele sua conta, ou encerre as outras sessões.",
      enter: "Proteger minha conta",
    },
    neither: {
      title: "Se você não tem nenhum dos dois",
      text: "Ligue já para sua instituição, pelo canal de sempre, e peça que congele sua conta.",
    },
    after: "O que enviarem continua chegando. Depois, sua instituição convida você no celular novo.",
  },
  continueAs: (name) => `Continuar como ${name} (demo)`,
  roles: { payer: "Paga com seu saldo", merchant: "Recebe na sua loja" },
  operator: { title: "Você entrou como operador", text: "As páginas do operador chegarão em outra versão." },
};
