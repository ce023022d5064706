import { describe, expect, it } from "vitest";
import { businessTime } from "../../../../src/business-time.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { grantedService } from "../../access/policy/gate.ts";
import type { MovementRecord } from "../history/movement.ts";
import { createPartyNames, NAMELESS } from "../history/party-names.ts";
import { createTopUpNames } from "../history/top-up-names.ts";
import { periodOf, readStatement } from "./read-statement.ts";

const [ME, OTHER] = ["01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8058"];
const MARCH = periodOf(businessTime("America/Bogota"), "2026-03");

type Service = Parameters<typeof readStatement>[0];
type Query = Readonly<Record<string, string>>;

function payment(at: string, change: Partial<MovementRecord> = {}): MovementRecord {
  return {
    ...{ id: `payment ${at}`, reference: "7K3M9QXT2V4FW", kind: "qr", status: "approved", amount: 5, currency: "COP" },
    ...{ from_user: "Ana", from_user_id: ME, to_user: "Lola", to_user_id: OTHER, created_at: at, details: {} },
    ...change,
  } as MovementRecord;
}

function transfer(at: string, status = "approved") {
  const parties = { from_user_id: ME, to_user_id: OTHER };
  return {
    id: `transfer ${at}`,
    reference: "7K3M9QXT2V4FW",
    status,
    amount: 5,
    ...parties,
    created_at: at,
    details: {},
  };
}

/** A service that knows no user any more, behind the policy: its refusal must still pass there. */
const nobodyKnown = {
  call: () => Promise.reject(new ApiError("user_not_found")),
} as unknown as Parameters<typeof grantedService>[0];
const me = { kind: "person", personId: ME, userId: ME, method: "passkey", sessionHash: new Uint8Array() } as const;

/** A service with these pages, which records its queries. */
function aService(payments: readonly MovementRecord[][], transfers: readonly ReturnType<typeof transfer>[][]) {
  const asked: Query[] = [];
  const list =
    (pages: readonly (readonly object[])[]) =>
    async (query: Query): Promise<unknown> => {
      asked.push(query);
      const index = Number(query.cursor ?? 0);
      const isLast = index + 1 >= pages.length;
      return { body: pages[index] ?? [], nextCursor: isLast ? undefined : String(index + 1), syncToken: undefined };
    };
  const service = {
    transactionHistory: list(payments),
    ledgerTransactionHistory: list(transfers),
    user: grantedService(nobodyKnown, me, "myStatement").user,
  } as unknown as Service;
  return { service, asked };
}

function read(service: Service, max = 100) {
  const names = createPartyNames({ now: () => 0 });
  const topUps = createTopUpNames({ now: () => 0 });
  return readStatement(service, ME, MARCH, { names, topUps, writeReceipt: () => undefined, currency: "COP", max });
}

describe("a statement's month", () => {
  it("begins and ends at midnight of the business time zone, over the end of a year and a change of clocks", () => {
    const bogota = businessTime("America/Bogota");
    const [start, end] = ["2026-12-01T05:00:00.000Z", "2027-01-01T05:00:00.000Z"];
    expect(JSON.stringify(periodOf(bogota, "2026-12"))).toBe(JSON.stringify({ start, end }));
    expect(periodOf(bogota, "2026-02").end.toISOString()).toBe("2026-03-01T05:00:00.000Z");
    const berlin = periodOf(businessTime("Europe/Berlin"), "2026-03");
    expect([berlin.start, berlin.end].map((it) => it.toISOString())).toEqual([
      "2026-02-28T23:00:00.000Z",
      "2026-03-31T22:00:00.000Z",
    ]);
  });
});

describe("a statement's movements", () => {
  it("are read page by page, joined oldest first, without what moved nothing", async () => {
    const { service, asked } = aService(
      [
        [payment("2026-03-30T10:00:00.000Z"), payment("2026-03-20T10:00:00.000Z", { status: "rejected" })],
        [
          payment("2026-03-10T10:00:00.000Z", { status: "reversed" }),
          payment("2026-03-09T10:00:00.000Z", { status: "pending" }),
        ],
      ],
      [[transfer("2026-03-15T10:00:00.000Z"), transfer("2026-03-14T10:00:00.000Z", "rejected")]],
    );
    const days = (await read(service)).map(({ id }) => id.slice(0, -14));
    expect(days).toEqual(["payment 2026-03-10", "transfer 2026-03-15", "payment 2026-03-30"]);
    expect(asked[0]).toEqual({
      "from-date": "2026-03-01T05:00:00.000Z",
      "to-date": "2026-04-01T05:00:00.000Z",
      limit: "500",
    });
  });

  it("leave out transfers of the months around, and ask for no page beyond the month's first day", async () => {
    const pages = [
      [transfer("2026-04-01T05:00:00.000Z"), transfer("2026-04-01T04:59:59.999Z")],
      [transfer("2026-03-01T05:00:00.000Z"), transfer("2026-03-01T04:59:59.999Z")],
      [transfer("2026-02-01T10:00:00.000Z")],
    ];
    const { service, asked } = aService([], pages);
    const found = (await read(service)).map(({ created_at: at }) => at);
    expect(found).toEqual(["2026-03-01T05:00:00.000Z", "2026-04-01T04:59:59.999Z"]);
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, undefined, "1"]);
  });

  it("are refused when they are more than can be answered, before the rest is read", async () => {
    const page = [payment("2026-03-30T10:00:00.000Z"), payment("2026-03-29T10:00:00.000Z")];
    const { service, asked } = aService([page, page, page], []);
    await expect(read(service, 3)).rejects.toMatchObject({ name: "TooManyMovementsError" });
    expect(asked).toHaveLength(2);
  });

  it("are refused when other months' lie before them without end, after a hundred pages", async () => {
    const later = Array.from({ length: 200 }, () => [transfer("2026-09-01T10:00:00.000Z")]);
    const { service, asked } = aService([], later);
    await expect(read(service)).rejects.toMatchObject({ name: "TooFarBackError" });
    expect(asked).toHaveLength(1 + 100);
  });

  it("have a neutral word for the name of a user who is no more", async () => {
    const { service } = aService([], [[transfer("2026-03-15T10:00:00.000Z")]]);
    expect((await read(service)).map(({ counterparty }) => counterparty)).toEqual([NAMELESS]);
  });
});
