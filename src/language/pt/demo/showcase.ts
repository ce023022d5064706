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
    "Cada elemento em cada um dos seus estados. Um serviço dentro desta página os simula: aqui nenhum " +
    "dinheiro é movimentado.",
  element: "Elemento",
  all: "Todos",
  theme: "Tema",
  auto: "Do sistema",
  light: "Claro",
  dark: "Escuro",
  lang: "Idioma",
  dir: "Direção",
  ltr: "Da esquerda para a direita",
  rtl: "Da direita para a esquerda",
  states: "Estados",
  bare: "Ver em separado",
  unknown: "Esse estado não existe. Estes são todos:",
};
