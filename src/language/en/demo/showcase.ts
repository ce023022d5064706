import type { Words } from "../../es/demo/showcase.ts";

/** English of the page that shows every element in every state. */
export const words: Words = {
  title: "Café La Candelaria · Elements",
  here: "The elements in every state · demo shop",
  demo: "Demo",
  shop: "Shop",
  till: "Till",
  account: "My account",
  elements: "Elements",
  staged: "Every element in each of its states, simulated by a service inside this page: no money moves here.",
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
  bare: "View on its own",
  unknown: "There's no such state. These are all of them:",
};
