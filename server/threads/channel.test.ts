import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { type Answers, Channel } from "./channel.ts";

let close = (): void => undefined;

afterEach(() => close());

/** Two ends; the other one gives these answers. */
function aChannel(answers: Answers): Channel {
  const { port1, port2 } = new MessageChannel();
  close = () => port1.close();
  new Channel(port2, answers);
  return new Channel(port1, {});
}

async function failureOf(asked: Promise<unknown>): Promise<Error> {
  return await asked.then(
    () => new Error("it was answered"),
    (error: Error) => error,
  );
}

it("sends what is asked in a long turn of the event loop before that turn ends", async () => {
  const { port1, port2 } = new MessageChannel();
  close = () => port1.close();
  const channel = new Channel(port1, {});
  for (let asked = 0; asked < 40; asked++) void channel.ask("anything", asked).catch(() => undefined);
  expect(receiveMessageOnPort(port2)?.message.asked).toHaveLength(32);
  expect(receiveMessageOnPort(port2)).toBeUndefined();
  await expect.poll(() => receiveMessageOnPort(port2)?.message.asked.length).toBe(8);
  channel.end(new Error("the test is over"));
});

it("hears and answers within a turn of the event loop when it attends", async () => {
  const { port1, port2 } = new MessageChannel();
  close = () => port1.close();
  const channel = new Channel(port1, { double: async (value: number) => 2 * value });
  let isTurnOver = false;
  setImmediate(() => {
    isTurnOver = true;
  });
  port2.postMessage({ asked: [{ id: 7, name: "double", argument: 4 }], answered: [] });
  channel.attend();
  // Each step of the answer is a microtask.
  for (let step = 0; step < 10; step++) await Promise.resolve();
  channel.attend();
  expect(receiveMessageOnPort(port2)?.message).toEqual({ asked: [], answered: [{ id: 7, value: 8 }] });
  expect(isTurnOver).toBe(false);
});

it("keeps all that is asked and answered at a time, in whichever message it is", async () => {
  const channel = aChannel({ double: async (value: number) => 2 * value });
  const values = Array.from({ length: 100 }, (_, value) => value);
  const asked = values.map((value) => channel.ask<number>("double", value));
  expect(await Promise.all(asked)).toEqual(values.map((value) => 2 * value));
});

it("keeps all of an error that its answer and the log need, its causes too", async () => {
  const cause = Object.assign(new TypeError("why"), { code: "ECODE" });
  const fields = { detail: "Too late.", retryAfter: 3, replayed: true, faults: [{ pointer: "/a", detail: "wrong" }] };
  const channel = aChannel({
    refuse: () => Promise.reject(new ApiError("unavailable", { ...fields, cause })),
    fail: () => Promise.reject(cause),
  });
  const refused = await failureOf(channel.ask("refuse"));
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: "unavailable", status: 503, ...fields });
  expect(refused.cause).toMatchObject({ name: "TypeError", message: "why", code: "ECODE" });
  expect(await failureOf(channel.ask("fail"))).toMatchObject({ name: "TypeError", code: "ECODE", stack: cause.stack });
  expect((await failureOf(channel.ask("nothing"))).message).toContain("nothing");
});

it("rejects what is not answered when the other end is gone, and all that is asked later", async () => {
  const channel = aChannel({ wait: () => new Promise(() => undefined) });
  const waiting = failureOf(channel.ask("wait"));
  channel.end(new Error("gone"));
  expect((await waiting).message).toBe("gone");
  expect((await failureOf(channel.ask("wait"))).message).toBe("gone");
});
