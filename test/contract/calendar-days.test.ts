import * as v from "valibot";
import { expect, it } from "vitest";
import { brokerContract } from "../../src/contract/broker/broker.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";

const takes = (field: v.GenericSchema, value: string) => v.safeParse(field, value).success;

const rows: readonly Operation[] = Object.values({ ...serviceContract, ...brokerContract });

/** Every field of a request that takes a day. */
const dayFields = rows.flatMap(({ name, body, query }) =>
  [body, query].flatMap((schema) =>
    Object.entries<v.GenericSchema>((schema && "entries" in schema ? schema.entries : {}) as Record<string, never>)
      .filter(([, field]) => takes(field, "2026-03-31") && !takes(field, "soon"))
      .map(([field, type]) => [`${name} ${field}`, type] as const),
  ),
);

it("every row's days are found", () => {
  expect(dayFields.length).toBeGreaterThanOrEqual(12);
});

it.each(dayFields)("%s takes no day that no calendar has", (_, field) => {
  expect(["2026-02-30", "2026-13-01", "2026-00-10", "2025-02-29"].filter((day) => takes(field, day))).toEqual([]);
});
