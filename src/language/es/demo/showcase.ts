import type { Translated } from "../../translated.ts";

/** Spanish of the page that shows every element in every state; the elements bring their own words. */
export const words = {
  title: "Café La Candelaria · Elementos",
  here: "Los elementos en cada estado · tienda de demostración",
  demo: "Demostración",
  shop: "Tienda",
  till: "Caja",
  account: "Mi cuenta",
  elements: "Elementos",
  staged:
    "Cada elemento en cada uno de sus estados. Los simula un servicio dentro de esta página: aquí no se mueve dinero.",
  element: "Elemento",
  all: "Todos",
  theme: "Tema",
  auto: "Del sistema",
  light: "Claro",
  dark: "Oscuro",
  lang: "Idioma",
  dir: "Dirección",
  ltr: "De izquierda a derecha",
  rtl: "De derecha a izquierda",
  states: "Estados",
  bare: "Ver por separado",
  unknown: "Ese estado no existe. Estos son todos:",
};

/** The texts of the page that shows every element. */
export type Words = Translated<typeof words>;
