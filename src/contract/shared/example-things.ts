/**
 * The objects that the examples of the documents refer to. A test makes these things in a real service, puts their real
 * ids in place of these, and sends every example; so each thing has one spelling, which occurs in no other's.
 */
export const exampleThings = Object.freeze({
  entity: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0001",
  /** Ana, who pays. */
  payer: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0002",
  payerNit: "52345678",
  payerPhone: "+573007654321",
  /** The café that is paid. */
  payee: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0003",
  payeeNit: "900123456",
  payeePhone: "+576017654321",
  /** An approved payment of Ana to the café. */
  payment: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0004",
  paymentReference: "7K3M9QXT2V4FW",
  /** A payment code that nobody has paid. */
  unpaidReference: "9D4TJ6WZ0HBRC",
  /** A pending payment of Ana to the café. */
  hold: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0005",
  /** A loan type of the entity, and what Ana owes of quota that was assigned to her with it. */
  loanType: "micro-30",
  credit: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0006",
  /** A second API client of the entity, and its secret's id. */
  apiClient: "client_J3mXn0PqRs7uVw1y",
  apiClientSecret: "9f86d081",
  /** A ledger transfer from Ana to the café. */
  transfer: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0007",
  /** A webhook, its address, and an event that was sent to it. */
  webhook: "orders",
  webhookUrl: "https://shop.example/cupo/events",
  event: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0008",
  /** Another entity, whose user paid the café. */
  counterparty: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0009",
  /** The business day of the examples, and the days thirty days before and after it. */
  earlierDay: "2026-03-01",
  today: "2026-03-31",
  dueDay: "2026-04-30",
  /** The month before, whose books can be closed. */
  monthBefore: "2026-02",
});

/** The name of one of the {@link exampleThings}. */
export type ExampleThing = keyof typeof exampleThings;
