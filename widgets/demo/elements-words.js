// Texts of the showcase itself; the elements bring their own words.

const spanish = {
  title: "Café La Candelaria · Elementos",
  here: "Los elementos en cada estado · tienda de demostración",
  demo: "Demostración",
  shop: "Tienda",
  till: "Caja",
  account: "Mi cuenta",
  elements: "Elementos",
  staged:
    "Cada elemento en cada uno de sus estados. Los actúa un servicio de utilería dentro de esta página: aquí no se " +
    "mueve dinero.",
  element: "Elemento",
  all: "Todos",
  theme: "Tema",
  auto: "Del sistema",
  light: "Claro",
  dark: "Oscuro",
  lang: "Idioma",
  dir: "Dirección",
  ltr: "Hacia la derecha",
  rtl: "Hacia la izquierda",
  states: "Estados",
  bare: "Ver sin la página",
  unknown: "Ese estado no existe. Estos son todos:",
};

const english = {
  title: "Café La Candelaria · Elements",
  here: "The elements in every state · demo shop",
  demo: "Demo",
  shop: "Shop",
  till: "Till",
  account: "My account",
  elements: "Elements",
  staged: "Every element in each of its states, played by a stand-in service inside this page: no money moves here.",
  element: "Element",
  all: "All",
  theme: "Theme",
  auto: "System",
  light: "Light",
  dark: "Dark",
  lang: "Language",
  dir: "Direction",
  ltr: "Left to right",
  rtl: "Right to left",
  states: "States",
  bare: "See it without the page",
  unknown: "There is no such state. These are all of them:",
};

const portuguese = {
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

/** The page's words by language. */
export const words = Object.freeze({ es: spanish, en: english, pt: portuguese });
