import * as v from "valibot";
import { text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";

export const demoPeople = operation({
  name: "demoPeople",
  method: "GET",
  path: "/v1/demo/people",
  tag: "Demo",
  summary: "Who may be tried in the demo; 404 where there is none",
  access: "none",
  answer: v.array(v.object({ person: v.string(), name: v.string(), role: v.picklist(["payer", "merchant"]) })),
  status: 200,
  writes: false,
  errors: ["not_found"],
});

export const demoSignIn = operation({
  name: "demoSignIn",
  method: "POST",
  path: "/v1/demo/sign-in",
  tag: "Demo",
  summary: "Continue as a demo person",
  access: "none",
  body: v.strictObject({ person: text(40) }),
  answer: v.object({ signed_in: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_found", "account_frozen"],
});
