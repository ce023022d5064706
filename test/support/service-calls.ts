import { expect } from "vitest";
import { type ServiceContract, serviceContract } from "../../src/contract/service/service.ts";
import { errorCodes, type Problem } from "../../src/contract/shared/errors.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { ledgerFaults } from "./a-ledger.ts";
import { BASE_URL, type TestEntity, type TestService } from "./service.ts";

/** The name of one of the service's operations. */
export type OperationName = keyof ServiceContract;

/** An id that nobody has. */
export const NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057";

/** How a raw call differs from a proper one: any body as text or bytes, any query, any header (null leaves it out). */
interface RawCall {
  readonly body?: unknown;
  readonly text?: string | Uint8Array<ArrayBuffer>;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>> | string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** Calls an operation by its row's method and path as the entity would, past the typed client. */
export type RawClient = (name: OperationName, call?: RawCall) => Promise<Response>;

function headersOf(authorization: string, changes: RawCall["headers"] = {}): Headers {
  const headers = new Headers({ authorization, "content-type": "application/json", accept: "application/json" });
  for (const [name, value] of Object.entries(changes)) value === null ? headers.delete(name) : headers.set(name, value);
  return headers;
}

/** A row's path with its parameters filled in; one that is not given has its own name for a value, or nobody's id. */
export function pathOf({ path }: Operation, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? (name.endsWith("_id") ? NOBODY : name)),
  );
}

/** Makes the raw client of an entity. */
export async function rawClient(service: TestService, entity: TestEntity): Promise<RawClient> {
  const authorization = `Bearer ${await entity.accessToken()}`;
  return (name, { body, text, params, query = "", headers } = {}) => {
    const row: Operation = serviceContract[name];
    const search = typeof query === "string" ? query : new URLSearchParams(query).toString();
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    return service.fetch(`${BASE_URL}${pathOf(row, params)}${search === "" ? "" : `?${search}`}`, {
      method: row.method,
      headers: headersOf(authorization, headers),
      ...(row.method === "GET" || content === undefined ? {} : { body: content }),
    });
  };
}

/** Returns the problem document of a refused request, and checks its status, headers and sentences. */
export async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await response.json()) as Problem;
  expect(problem).toMatchObject({
    type: `urn:cupo:error:${problem.code}`,
    title: errorCodes[problem.code].title,
    status: response.status,
    request_id: response.headers.get("request-id"),
  });
  expect(response.status).toBe(errorCodes[problem.code].status);
  expect(response.headers.get("cache-control")).toBe("no-store");
  if (problem.status < 500) expect(problem.detail).toMatch(/^[A-Z].*[.]$/s);
  for (const { detail } of problem.errors ?? []) expect(detail).toMatch(/^[a-z]/);
  return problem;
}

/** Returns the code of a refusal and the places of its faults, sorted. */
export async function refusalOf(response: Response): Promise<readonly [string, ...string[]]> {
  const { code, errors = [] } = await problemOf(response);
  return [code, ...errors.map(({ pointer, parameter }) => pointer ?? parameter ?? "").sort()];
}

/** Everything that a refused request must leave as it was: balances, and how many rows each table has. */
export async function standing({ sql }: TestService): Promise<unknown> {
  const [[counts], balances] = await Promise.all([
    sql`select (select count(*) from service.users) as users, (select count(*) from service.entries) as entries,
      (select count(*) from service.postings) as postings, (select count(*) from service.transactions) as transactions,
      (select count(*) from service.transaction_statuses) as statuses,
      (select count(*) from service.transfers) as transfers, (select count(*) from service.credits) as credits,
      (select count(*) from service.qr_reservations) as qrs,
      (select count(*) from service.qr_reservations where cancelled_at is not null) as cancelled,
      (select count(*) from service.qr_reservations where transaction_id is not null) as paid`,
    sql`select id, posted, held, entry_count from service.accounts where entry_count > 0 order by id`,
  ]);
  return { counts: { ...counts }, balances: balances.map((row) => ({ ...row })) };
}

/** Expects sound books: zero per posting and per entity, balances replay, due-to equals due-from. */
export async function expectSoundBooks({ sql }: TestService): Promise<void> {
  expect(await ledgerFaults(sql)).toEqual([]);
}

/** As many of something as wanted, by index. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Returns how an entity's request is refused, and checks that nothing moved by it. */
export async function refusalMovingNothing(
  service: TestService,
  entity: TestEntity,
  name: OperationName,
  body: object,
): Promise<readonly [string, ...string[]]> {
  const before = await standing(service);
  const refusal = await refusalOf(await (await rawClient(service, entity))(name, { body }));
  expect(await standing(service)).toEqual(before);
  return refusal;
}
