import type { Words } from "../../es/app/shop.ts";

/** Portuguese of what merchants alone are shown. */
export const words: Words = {
  today: "Vendas de hoje",
  charge: "Cobrar",
  byDay: "Por dia",
  refundsTaken: "Cada devolução é descontada do dia da venda.",
  lastSales: "Últimas vendas",
  sales: (count: number) => (count === 1 ? "1 venda" : `${count} vendas`),
};
