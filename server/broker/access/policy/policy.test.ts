import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokerContract } from "../../../../src/contract/broker/broker.ts";
import type { Operation } from "../../../../src/contract/shared/operation.ts";
import { anOrder, ORIGIN } from "../../../../test/support/broker.ts";
import { policyAnswers } from "../../../../test/support/policy-answers.ts";
import {
  aPolicyFixture,
  askForTheirs,
  type BrokerOperationName as OperationName,
  type PolicyFixture,
} from "../../../../test/support/policy-fixture.ts";
import type { PrincipalKind } from "../principal.ts";
import { policy, streamPolicy } from "./policy.ts";

let fixture: PolicyFixture;
let broker: PolicyFixture["broker"];

beforeAll(async () => {
  fixture = await aPolicyFixture();
  broker = fixture.broker;
});
afterAll(() => broker.stop());

function ask(kind: PrincipalKind, name: OperationName): Promise<{ status: number; text: string }> {
  const headers = kind === "person" && name === "freezeMe" ? fixture.freezing : fixture.credentials[kind];
  return askForTheirs(fixture, headers, name);
}

const kinds = Object.keys(policy) as PrincipalKind[];
/** Each ends the session of the cookie that came along, so they are asked last. */
const ending: readonly OperationName[] = ["freezeMe", "signOut", "demoSignIn"];
const names = [...(Object.keys(brokerContract) as OperationName[]).filter((name) => !ending.includes(name)), ...ending];
const openToAll = names.filter((name) => (brokerContract[name] as Operation).access === "none");

describe("the policy", () => {
  it("is walked whole: the expectations name exactly the pairs that the table grants", () => {
    const pairs = kinds.flatMap((kind) => Object.keys(policy[kind]).map((name) => `${kind} ${name}`));
    expect(pairs.sort()).toEqual(Object.keys(policyAnswers).sort());
  });

  // Plain routes, no rows of the contract: `streamPolicy` names their principal. Asked before anybody signs out.
  for (const [path, owner] of Object.entries(streamPolicy)) {
    for (const kind of kinds) {
      const expected = kind === owner ? 200 : kind === "visitor" ? 401 : 404;
      it(`answers ${expected} to ${kind} × ${path}`, async () => {
        const headers = { "x-cupo-request": "1", ...fixture.credentials[kind] };
        const response = await broker.fetch(`${ORIGIN}${path}`, { headers });
        await response.body?.cancel();
        expect(response.status).toBe(expected);
      });
    }
  }

  for (const kind of kinds) {
    for (const name of names) {
      const pair = `${kind} ${name}`;
      // A row without access has no principal: every caller is a visitor there.
      const granted = policyAnswers[openToAll.includes(name) ? `visitor ${name}` : pair];
      const expected = granted ?? (kind === "visitor" ? 401 : 404);
      it(`answers ${expected} to ${kind} × ${name} with a second user's ids, and nothing of that user`, async () => {
        const { status, text } = await ask(kind, name);
        expect({ pair, status, text: status === expected ? "" : text }).toEqual({ pair, status: expected, text: "" });
        expect(text).not.toContain(broker.ben.id);
        expect(text).not.toContain("Ben Ruiz");
      });
    }
  }

  it("left the second user's approval, session and money as they were", async () => {
    const { ben, theirs } = fixture;
    expect((await ben.approval({ params: { id: theirs.approvalId } })).body.state).toBe("open");
    const { body } = await broker.merchant.sessionStatus({ params: { session_id: theirs.sessionId } });
    expect(body.state).toBe("unpaid");
    expect((await ben.me({})).body.quota_available).toBe(500_000);
  });
});

describe("a person's history", () => {
  it("has the own balance, and neither the other party's balance nor why the other was rejected", async () => {
    const ana = await broker.as("payer");
    const shop = await broker.as("merchant");
    for (const amount of [1_000, 900_000]) {
      const session = await anOrder(broker, { amount });
      const { payload } = (await broker.widget(session.session).widgetSession({})).body;
      const { body: approval } = await ana.openApproval({ body: { payload, note: "gracias" } });
      const { id, payee, reference = "" } = approval;
      await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    }
    const [rejected, paid] = (await ana.myHistory({ query: {} })).body;
    expect(paid).toMatchObject({ direction: "sent", counterparty: "Café La Esquina", balance_after: 499_000 });
    expect(paid?.note).toBe("gracias");
    expect(rejected).toMatchObject({ status: "rejected", reason: "insufficient_balance" });
    const [refused, received] = (await shop.myHistory({ query: {} })).body;
    expect(received).toMatchObject({ direction: "received", counterparty: "Ana Torres", balance_after: 1_000 });
    expect(refused).toMatchObject({ status: "rejected", direction: "received" });
    expect(JSON.stringify([refused, received])).not.toMatch(/insufficient_balance|499000|500000/);
    expect((await shop.myReceived({ query: {} })).body.map(({ id }) => id)).toEqual([received?.id]);
  });

  it("comes in pages that join without a gap", async () => {
    const ana = await broker.as("payer");
    const all = (await ana.myHistory({ query: {} })).body.map(({ id }) => id);
    const first = await ana.myHistory({ query: { limit: "1" } });
    const rest = await ana.myHistory({
      query: { limit: "500", ...(first.nextCursor && { cursor: first.nextCursor }) },
    });
    expect([...first.body, ...rest.body].map(({ id }) => id)).toEqual(all);
    const other = await broker.as("other");
    await expect(other.myHistory({ query: { cursor: "nonsense" } })).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});
