import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createUnreadBodies } from "./unread-bodies.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request, and how often its connection was cut. */
function aRequest() {
  const socket = new Socket();
  const cut = vi.spyOn(socket, "destroySoon").mockImplementation(() => undefined);
  return { incoming: new IncomingMessage(socket), cut };
}

it("cuts the connection of a body that does not end soon, after one interval at least and two at most", () => {
  const bodies = createUnreadBodies(500);
  const [early, late] = [aRequest(), aRequest()];
  bodies.add(early.incoming);
  vi.advanceTimersByTime(400);
  bodies.add(late.incoming);
  vi.advanceTimersByTime(599);
  expect([early.cut, late.cut].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  vi.advanceTimersByTime(1);
  expect([early.cut, late.cut].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  vi.advanceTimersByTime(10_000);
  expect(early.cut).toHaveBeenCalledOnce();
});

it("has one timer for thousands of bodies, and none once they have ended", () => {
  const bodies = createUnreadBodies(500);
  const requests = Array.from({ length: 5_000 }, aRequest);
  for (const { incoming } of requests) bodies.add(incoming);
  expect(vi.getTimerCount()).toBe(1);
  for (const { incoming } of requests) incoming.emit("end");
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(requests.filter(({ cut }) => cut.mock.calls.length > 0)).toEqual([]);
});

it("discards the rest of a body that was read in part, and cuts nothing once it has arrived", async () => {
  const bodies = createUnreadBodies(500);
  const { incoming, cut } = aRequest();
  incoming.push("read");
  for await (const _ of incoming.iterator({ destroyOnReturn: false })) break;
  bodies.add(incoming);
  incoming.push("not read");
  incoming.push(null);
  await vi.waitFor(() => expect(incoming.readableEnded).toBe(true));
  vi.advanceTimersByTime(1_000);
  expect(cut).not.toHaveBeenCalled();
});

it("leaves a request alone whose body was read, or whose connection is gone", async () => {
  const bodies = createUnreadBodies(500);
  const [read, gone] = [aRequest(), aRequest()];
  read.incoming.push(null);
  read.incoming.resume();
  await vi.waitFor(() => expect(read.incoming.readableEnded).toBe(true));
  gone.incoming.destroy();
  for (const { incoming } of [read, gone]) bodies.add(incoming);
  expect(vi.getTimerCount()).toBe(0);
});
