import type { Call, Reply } from "../../src/contract/shared/handler.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { parseStrictJson } from "../../src/strict-json.ts";

/** A call for a handler in another thread: its body is JSON text. */
export type WrittenCall<P> = Omit<Call<Operation, P>, "body"> & {
  readonly written: string | undefined;
  /** True if a double holds each number of the body. */
  readonly isPlain: boolean;
};

/** A reply that was made in another thread: its body is JSON text. */
export type WrittenReply = Omit<Reply<unknown>, "body"> & { readonly written: string };

/** Writes a call's body, which may hold numbers that only JSON text carries to another thread. */
export function writtenCall<P>({ body, ...call }: Call<Operation, P>): WrittenCall<P> {
  const written = JSON.stringify(body);
  const isPlain = written === undefined || JSON.stringify(JSON.parse(written)) === written;
  return { ...call, written, isPlain };
}

/** Reads a written call. */
export function callOf<P>({ written, isPlain, ...call }: WrittenCall<P>): Call<Operation, P> {
  const body = written === undefined ? undefined : isPlain ? JSON.parse(written) : parseStrictJson(written);
  return { ...call, body } as Call<Operation, P>;
}

/** Reads a reply that may be from another thread. */
export function replyOf<A>(reply: Reply<A> | WrittenReply): Reply<A> {
  if (!("written" in reply)) return reply;
  const { written, ...rest } = reply;
  return { ...rest, body: parseStrictJson(written) as A };
}

/** Writes a reply's body: text is cheaper to hand over than objects, and it is the answer. */
export function writtenReply({ body, ...reply }: Reply<unknown>): WrittenReply {
  return { ...reply, written: JSON.stringify(body) };
}
