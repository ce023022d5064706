import { pino } from "pino";
import * as v from "valibot";
import { expect } from "vitest";
import { createApp } from "../../server/http/create-app.ts";
import type { HttpOptions } from "../../server/http/http-options.ts";
import { ApiError, errorCodes, type Problem } from "../../src/contract/shared/errors.ts";
import { Amount, Details, Id, pageFields, text } from "../../src/contract/shared/fields.ts";
import type { Call, Handlers } from "../../src/contract/shared/handler.ts";
import { type Operation, operation } from "../../src/contract/shared/operation.ts";

const Thing = v.object({ id: Id, name: v.string(), amount: v.number(), details: v.optional(v.unknown()) });

const things = { tag: "Things", status: 200, writes: false } as const;
const shared = { ...things, access: "bearer", scope: "read" } as const;

/** A small made-up contract with one row of each sort, over which the tests of server/http run real handlers. */
export const sampleContract = Object.freeze({
  createThing: operation({
    ...shared,
    name: "createThing",
    method: "POST",
    path: "/create-thing",
    summary: "Make a thing",
    body: v.strictObject({ name: text(20), amount: Amount, details: v.optional(Details) }),
    responseOnly: ["id"],
    answer: Thing,
    status: 201,
    writes: true,
    errors: ["insufficient_balance", "not_implemented"],
  }),
  thing: operation({
    ...shared,
    name: "thing",
    method: "GET",
    path: "/thing",
    summary: "Look up a thing",
    query: v.strictObject({ id: Id }),
    answer: Thing,
    errors: ["not_found"],
  }),
  things: operation({
    ...shared,
    name: "things",
    method: "GET",
    path: "/things",
    summary: "List things",
    query: v.strictObject(pageFields),
    answer: v.array(Thing),
    errors: ["invalid_cursor"],
  }),
  thingPart: operation({
    ...shared,
    name: "thingPart",
    method: "GET",
    path: "/things/:id/part",
    summary: "One part of a thing",
    params: v.strictObject({ id: Id }),
    answer: v.object({ id: Id, address: v.string() }),
    errors: ["not_found"],
  }),
  picture: operation({
    ...shared,
    name: "picture",
    method: "POST",
    path: "/picture",
    summary: "Draw a thing",
    body: v.strictObject({ name: text(20) }),
    answer: v.object({ name: v.string() }),
    mediaTypes: ["image/png", "image/svg+xml", "application/json"],
    status: 201,
    errors: [],
  }),
  open: operation({
    ...things,
    access: "none",
    name: "open",
    method: "GET",
    path: "/open",
    summary: "For anybody",
    answer: v.object({ open: v.literal(true) }),
    errors: [],
  }),
});

/** The caller: the entity behind a token. */
export interface SamplePrincipal {
  readonly entity: string;
}

/** An id that exists. */
export const AN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const PIXELS = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

type CreateCall = Call<typeof sampleContract.createThing, SamplePrincipal>;

function failByName({ body }: CreateCall): void {
  if (body.name === "short") throw new ApiError("insufficient_balance", { detail: "Only 5 is there." });
  if (body.name === "undeclared") throw new ApiError("duplicate_user");
  if (body.name === "bug") throw new Error("secret of the inside");
  if (body.name === "away") throw Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
  if (body.name === "later") throw new ApiError("not_implemented", { detail: "never shown" });
}

/** The handlers; `seen` collects the calls that reached one. */
function sampleHandlers(seen: unknown[]): Handlers<typeof sampleContract, SamplePrincipal> {
  return {
    createThing: async (call) => {
      seen.push(call);
      failByName(call);
      const body = { id: AN_ID, ...call.body };
      if (call.body.name === "misfit") return { body: { ...body, id: "no id" } };
      return { body, replayed: call.idempotency?.key === "again" };
    },
    thing: async ({ query }) => ({ body: { id: query.id, name: "one", amount: 1 } }),
    things: async ({ query }) => ({
      body: [{ id: AN_ID, name: "one", amount: 1 }],
      nextCursor: query.cursor === undefined ? "page two/&" : undefined,
    }),
    thingPart: async ({ params, address }) => ({ body: { id: params.id, address } }),
    picture: async ({ body, mediaType }) => {
      if (mediaType === "application/json") return { body };
      const content = mediaType === "image/png" ? PIXELS : "<svg/>";
      return { body, media: { type: mediaType, content }, headers: { "Payment-Check-Code": "4821" } };
    },
    open: async () => ({ body: { open: true } }),
  };
}

type Options = HttpOptions<typeof sampleContract, SamplePrincipal>;

function authenticate(access: Operation["access"], request: Request): SamplePrincipal {
  if (access === "none") return { entity: "nobody" };
  const entity = /^Bearer good-(\w+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (entity === undefined) throw new ApiError("unauthorized", { detail: "Send a Bearer token." });
  return { entity };
}

/** An app over the made-up contract with a real logger, a settable clock, and the calls and log lines that it saw. */
export function sampleApp(changes: Partial<Options> = {}) {
  const seen: unknown[] = [];
  const lines: Record<string, unknown>[] = [];
  const clock = { ms: 0 };
  let ids = 0;
  const app = createApp({
    contract: sampleContract,
    handlers: sampleHandlers(seen),
    authenticate,
    scopesOf: () => ["read"],
    labelOf: ({ entity }) => entity,
    log: pino({ level: "debug" }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    now: () => clock.ms,
    newRequestId: () => {
      ids += 1;
      return `made-${ids}`;
    },
    classify: (error) =>
      (error as { code?: unknown }).code === "ECONNREFUSED" ? new ApiError("unavailable", { cause: error }) : undefined,
    ...changes,
  });
  return { app, seen, lines, clock };
}

/** A valid request, but for what a test changes. */
export function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { authorization: "Bearer good-a", "content-type": "application/json", ...headers },
    body,
  };
}

/** Headers of an authenticated caller. */
export const asA = { authorization: "Bearer good-a" };

/** Returns the problem document of a refused request, and checks it against the status and headers. */
export async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await response.json()) as Problem;
  expect(problem.status).toBe(response.status);
  expect(problem.request_id).toBe(response.headers.get("request-id"));
  expect(problem.title).toBe(errorCodes[problem.code].title);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return problem;
}
