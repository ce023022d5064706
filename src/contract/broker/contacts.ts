import * as v from "valibot";
import { Id } from "../shared/fields.ts";
import { name } from "../shared/names.ts";
import { operation } from "../shared/operation.ts";

/** A person's own name for somebody. */
const Nickname = name(40);
const person = { tag: "People", access: "person" } as const;

export const myNicknames = operation({
  ...person,
  name: "myNicknames",
  method: "GET",
  path: "/v1/me/nicknames",
  summary: "The names that the person gave others",
  description: "Shown to nobody else; at most 200.",
  answer: v.array(v.object({ user_id: Id, nickname: v.string() })),
  status: 200,
  writes: false,
  errors: [],
});

export const putMyNickname = operation({
  ...person,
  name: "putMyNickname",
  method: "PUT",
  path: "/v1/me/nicknames/:user_id",
  summary: "Give somebody a name of one's own, or take it away",
  description:
    "For the counterparty of a movement: anybody else is not found. Null takes the name away. Of two devices that " +
    "write, the last one counts. `not_allowed` beyond 200 names.",
  params: v.strictObject({ user_id: Id }),
  body: v.strictObject({ nickname: v.nullable(Nickname) }),
  answer: v.object({ user_id: Id, nickname: v.nullable(v.string()) }),
  status: 200,
  writes: true,
  errors: ["not_found", "not_allowed"],
});
