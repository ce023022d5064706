import type { Words } from "../../es/app/shop.ts";

/** English of what merchants alone are shown. */
export const words: Words = {
  today: "Today's sales",
  charge: "Charge",
  byDay: "By day",
  refundsTaken: "Refunds are taken off the day of their sale.",
  lastSales: "Recent sales",
  sales: (count: number) => (count === 1 ? "1 sale" : `${count} sales`),
};
