import * as v from "valibot";
import { Amount, Id, label, ReferenceInput, syncErrors, syncFields } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { QrState } from "../shared/states.ts";
import { Me, Movement, OwnQr, QrKeys } from "./broker-answers.ts";

const person = { tag: "People", access: "person" } as const;

export const signOut = operation({
  ...person,
  access: "session",
  name: "signOut",
  method: "POST",
  path: "/v1/sign-out",
  summary: "End the session",
  answer: v.object({ signed_in: v.literal(false) }),
  status: 200,
  writes: true,
  errors: [],
});

export const me = operation({
  ...person,
  name: "me",
  method: "GET",
  path: "/v1/me",
  summary: "The signed-in person and the quota",
  answer: Me,
  status: 200,
  writes: false,
  errors: ["upstream_failed"],
});

export const myHistory = operation({
  ...person,
  name: "myHistory",
  method: "GET",
  path: "/v1/me/history",
  summary: "What the person sent and received",
  query: v.strictObject({ direction: v.optional(v.picklist(["received", "sent", "all"])), ...syncFields }),
  answer: v.array(Movement),
  status: 200,
  writes: false,
  errors: [...syncErrors, "upstream_failed"],
});

export const myReceived = operation({
  ...person,
  name: "myReceived",
  method: "GET",
  path: "/v1/me/received",
  summary: "Settled money that the person received",
  query: v.strictObject(syncFields),
  answer: v.array(Movement),
  status: 200,
  writes: false,
  errors: [...syncErrors, "upstream_failed"],
});

export const myTransfers = operation({
  ...person,
  name: "myTransfers",
  method: "GET",
  path: "/v1/me/transfers",
  summary: "Balance that the person transferred to others and got from them",
  query: v.strictObject(syncFields),
  answer: v.array(Movement),
  status: 200,
  writes: false,
  errors: [...syncErrors, "upstream_failed"],
});

export const createMyQr = operation({
  ...person,
  name: "createMyQr",
  method: "POST",
  path: "/v1/me/qr",
  summary: "One's own QR, with or without an amount",
  description: "A person makes 120 an hour.",
  body: v.strictObject({ amount: v.optional(Amount), note: v.optional(label(140)) }),
  answer: OwnQr,
  status: 201,
  writes: true,
  errors: ["amount_too_large_for_qr", "upstream_failed"],
});

export const myQr = operation({
  ...person,
  name: "myQr",
  method: "GET",
  path: "/v1/me/qr",
  summary: "Whether one's own QR was paid",
  query: v.strictObject({ reference: ReferenceInput }),
  answer: v.object({ state: QrState, expires_in: v.number(), transaction_id: v.optional(Id) }),
  status: 200,
  writes: false,
  errors: ["qr_not_found", "upstream_failed"],
});

export const qrKeys = operation({
  name: "qrKeys",
  method: "GET",
  path: "/.well-known/cupo-qr-keys.json",
  tag: "QR",
  summary: "Public keys that verify payment codes, also offline",
  access: "none",
  answer: QrKeys,
  status: 200,
  writes: false,
  errors: ["upstream_failed"],
});
