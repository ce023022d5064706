import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

const QUOTA = 5_000_000;

let target: Target;
let own: EntityCaller;
/** The operator who attacks, with whatever role the attack says. */
let clerk: AppBrowser;
let accomplice: string;

beforeAll(async () => {
  target = await Target.start();
  own = await target.own();
  clerk = await target.operator("clerk", "Clara");
  // A second operator, so that nothing is refused for want of one.
  await target.operator("admin", "Abel");
  accomplice = await own.aUser();
});
afterAll(() => target?.remove());

/** Finds six digits anywhere in an answer, under any name: the codes that a reader of all of it can try. */
function codesIn(body: unknown): readonly string[] {
  return JSON.stringify(body ?? "").match(/(?<=")\d{6}(?=")/g) ?? [];
}

/** Tries to make a first device of a user from what one operator is answered; the browser, enrolled or not. */
async function takeOver(operator: AppBrowser, userId: string): Promise<AppBrowser> {
  const thief = target.browser();
  const made = await operator.post("/v1/operator/enrolments", { user_id: userId });
  const shown = await operator.post(`/v1/operator/enrolments/${made.body.id}/code`);
  const listed = await operator.get("/v1/operator/enrolments");
  const candidates = [...codesIn(made.body), ...codesIn(shown.body), ...codesIn(listed.body)];
  for (const code of candidates.slice(0, 4)) {
    if (thief.passkey === undefined) await thief.enrol({ link: String(made.body.link), code });
  }
  return thief;
}

/** Sends the accomplice as much as a browser manages to, in one payment. */
async function steal(thief: AppBrowser, amount: number): Promise<void> {
  const code = await own.post("/create-transaction-qr", { to_user_id: accomplice, amount });
  await thief.pay({ payload: code.body.payload });
}

describe("one clerk alone", () => {
  attack("becomes a user who has no passkey yet, and spends the quota", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    await steal(await takeOver(clerk, victim), 50_000);
    expect(await own.available(victim)).toBe(QUOTA);
  });

  attack("tries one phone after the other, and the audit has nothing of it", async () => {
    const cleo = await target.operator("clerk", "Cleo");
    for (let n = 10; n < 40; n++) await cleo.post("/v1/operator/enrolments", { phone: `30099911${n}` });
    const [cleoId] = await target.sql<{ id: string }[]>`select id from broker.people where display_name = 'Cleo'`;
    const records = await target.sql`
      select from broker.audit_records where principal_id = ${cleoId?.id ?? ""} and action = 'make enrolment'`;
    expect(records.length).toBeGreaterThanOrEqual(20);
  });

  attack("is told link and code together by the answer that makes an enrolment", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    const { body } = await clerk.post("/v1/operator/enrolments", { user_id: victim });
    expect({ link: "link" in body, code: "code" in body }).not.toEqual({ link: true, code: true });
  });

  attack("gets new tries for the code of one user by making new links", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    let wrong = 0;
    for (let links = 0; links < 6; links += 1) {
      const { body } = await clerk.post("/v1/operator/enrolments", { user_id: victim });
      const secret = String(body.link ?? "").split("#")[1] ?? "";
      // Never the right code, where the answer holds it.
      const code = body.code === "123456" ? "123457" : "123456";
      for (let tries = 0; tries < 5; tries += 1) {
        const tried = await target.browser().post("/v1/enrolments/start", { secret, code });
        if (tried.body.code === "enrolment_code_wrong") wrong += 1;
      }
    }
    expect(wrong).toBeLessThanOrEqual(10);
  });
});

describe("a first device", () => {
  attack("spends the whole quota in its first hour", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    const device = await target.invite(victim);
    for (const amount of [QUOTA, QUOTA / 2, QUOTA / 4, QUOTA / 4]) await steal(device, amount);
    expect(await own.available(victim)).toBeGreaterThanOrEqual(QUOTA - 200_000);
  });

  attack("of much quota takes one operator", async () => {
    await target.command("operator", "rules", "--two-operators-above", "1000000");
    const victim = await own.aUser({ quota: QUOTA });
    const link = await target.commandJson<{ link: string; code: string }>("operator", "invite", "--user-id", victim);
    const device = target.browser();
    await device.enrol(link);
    await target.command("operator", "rules", "--two-operators-above", "none");
    await steal(device, 50_000);
    expect(await own.available(victim)).toBe(QUOTA);
  });

  it("that the command line enrolled pays a purchase at once", async () => {
    const user = await own.aUser({ quota: QUOTA });
    await steal(await target.invite(user), 50_000);
    expect(await own.available(user)).toBe(QUOTA - 50_000);
  });

  it("that two operators enrolled pays a purchase at once", async () => {
    const user = await own.aUser({ quota: QUOTA });
    const second = await target.operator("clerk", "Carlos");
    const made = await clerk.post("/v1/operator/enrolments", { user_id: user });
    const shown = await second.post(`/v1/operator/enrolments/${made.body.id}/code`);
    const device = target.browser();
    await device.enrol({ link: made.body.link, code: made.body.code ?? shown.body.code });
    await steal(device, 50_000);
    expect(await own.available(user)).toBe(QUOTA - 50_000);
  });
});
