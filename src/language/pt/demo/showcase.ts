import type { Words } from "../../es/demo/showcase.ts";

/** Portuguese of the page that shows every element in every state. */
export const words: Words = {
  title: "Café La Candelaria · Elementos",
  here: "Os elementos em cada estado · loja de demonstração",
  demo: "Demonstração",
  shop: "Loja",
  till: "Caixa",
  account: "Minha conta",
  elements: "Elementos",
  staged:
    "Cada elemento em cada um dos seus estados. Quem atua é um serviço de mentira dentro desta página: aqui nenhum " +
    "dinheiro sai do lugar.",
  element: "Elemento",
  all: "Todos",
  theme: "Tema",
  auto: "Do sistema",
  light: "Claro",
  dark: "Escuro",
  lang: "Idioma",
  dir: "Direção",
  ltr: "Para a direita",
  rtl: "Para a esquerda",
  states: "Estados",
  bare: "Ver sem a página",
  unknown: "Esse estado não existe. Estes são todos:",
};
