import { expect, test } from "vitest";
import { NoAnswerError } from "../../src/client.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { fetchStatement } from "./download-statement.ts";

const asked = { month: "2026-03", form: "csv", language: "es", personId: "ana" } as const;

test("a statement is asked for as whom the page shows, so that it is nobody else's", async () => {
  const told: Headers[] = [];
  const get: typeof fetch = async (_, init) => {
    told.push(new Headers(init?.headers));
    return Response.json({ code: "another_person" }, { status: 409 });
  };
  await expect(fetchStatement(asked, get)).rejects.toMatchObject(new ApiError("another_person"));
  await expect(fetchStatement({ ...asked, personId: undefined }, get)).rejects.toThrow(ApiError);
  expect(told.map((headers) => headers.get("x-cupo-person"))).toEqual(["ana", null]);
});

test("a statement that breaks off on its way is none", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError("lost")) });
  await expect(fetchStatement(asked, async () => new Response(body))).rejects.toThrow(NoAnswerError);
});
