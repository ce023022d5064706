import { expect, test } from "vitest";
import { askRenewing, SessionCaller } from "./session-caller.ts";
import { type Caller, SessionError } from "./session-client.ts";

const ENDED = new SessionError("unauthorized", { transient: false });

/** Creates a caller whose sessions are numbered, or come from `start`. */
function aCaller(start?: () => Promise<Caller>, hasSource = true) {
  const reported: unknown[] = [];
  let started = 0;
  const numbered = async () => session(`ws_${++started}`);
  const platform = { report: (error: unknown) => reported.push(error) };
  const caller = new SessionCaller(platform, () => (hasSource ? (start ?? numbered) : undefined));
  return { caller, reported, started: () => started };
}

function session(token: string, broker = "https://pay.example"): Caller {
  return { broker, token };
}

/** Answers with the token that asked, and refuses those that have ended. */
function tokenUnless(...ended: readonly string[]) {
  return async ({ token }: Caller) => {
    if (ended.includes(token)) throw ENDED;
    return token;
  };
}

test("one session serves every call, also those that wait for its beginning", async () => {
  const { caller, started } = aCaller();
  const tokens = await Promise.all([askRenewing(caller, tokenUnless()), askRenewing(caller, tokenUnless())]);
  expect([...tokens, await askRenewing(caller, tokenUnless()), started()]).toEqual(["ws_1", "ws_1", "ws_1", 1]);
});

test("a session that has ended is made anew once, for all calls that it refused", async () => {
  const { caller, started } = aCaller();
  const calls = [askRenewing(caller, tokenUnless("ws_1")), askRenewing(caller, tokenUnless("ws_1"))];
  expect(await Promise.all(calls)).toEqual(["ws_2", "ws_2"]);
  expect(started()).toBe(2);
});

test("a new session that is refused too is an error, and so is any other refusal at once", async () => {
  const { caller, started } = aCaller();
  await expect(askRenewing(caller, tokenUnless("ws_1", "ws_2"))).rejects.toBe(ENDED);
  expect(started()).toBe(2);
  const refused = new SessionError("not_allowed", { transient: false });
  await expect(askRenewing(caller, () => Promise.reject(refused))).rejects.toBe(refused);
  expect(started()).toBe(2);
});

test("a session that could not be made is asked for again by the next call", async () => {
  let tries = 0;
  const { caller } = aCaller(async () => {
    tries++;
    if (tries === 1) throw new SessionError("no_answer", { transient: true });
    return session("ws_late", "https://other.example");
  });
  await expect(askRenewing(caller, tokenUnless())).rejects.toMatchObject({
    code: "no_answer",
    transient: true,
  });
  expect(await askRenewing(caller, async (asking) => asking)).toEqual({
    broker: "https://other.example",
    token: "ws_late",
  });
});

test("a session that was forgotten while it began does not take its successor along when it fails", async () => {
  const first = Promise.withResolvers<Caller>();
  const beginnings = [first.promise, Promise.resolve(session("ws_second"))];
  const { caller } = aCaller(() => beginnings.shift() as Promise<Caller>);
  const forgotten = askRenewing(caller, tokenUnless());
  caller.forget();
  expect(await askRenewing(caller, tokenUnless())).toBe("ws_second");
  first.reject(new SessionError("no_answer", { transient: true }));
  await expect(forgotten).rejects.toMatchObject({ code: "no_answer" });
  expect(await askRenewing(caller, tokenUnless())).toBe("ws_second");
});

test("a refusal of the merchant's backend is told from the broker's", async () => {
  const refused = () => new SessionError("limit_exceeded", { transient: false });
  let tries = 0;
  const { caller } = aCaller(async () => {
    if (++tries > 1) throw refused();
    return session("ws_1");
  });
  await expect(askRenewing(caller, () => Promise.reject(refused()))).rejects.toMatchObject({
    isUnasked: false,
  });
  await expect(askRenewing(caller, tokenUnless("ws_1"))).rejects.toMatchObject({ isUnasked: true });
});

test("the page's own error is the page's to see, and no session is one for the caller", async () => {
  const own = new Error("not signed in");
  const { caller, reported } = aCaller(() => Promise.reject(own));
  await expect(askRenewing(caller, tokenUnless())).rejects.toMatchObject({
    code: "no_session",
    transient: false,
  });
  expect(reported).toEqual([own]);
  const { caller: without, reported: nothing } = aCaller(undefined, false);
  await expect(askRenewing(without, tokenUnless())).rejects.toMatchObject({ code: "no_session" });
  expect(nothing).toEqual([]);
});
