/** The clock and the random bytes that ids are made from. */
export interface IdSourceOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly random: (length: number) => Uint8Array;
}

/** Draws ids, each greater than the one before. */
export interface IdSource {
  (): string;
  /** Draws only ids above this UUIDv7 from now on. */
  continueAbove(id: string): void;
}

/** Hexadecimal digits of an id's milliseconds. */
const TIME_DIGITS = 12;
const COUNTER_LIMIT = 2 ** 18;
/** The highest bit of a new counter stays free, so that it has room to count. */
const COUNTER_START_MASK = 0x1ffff;
const LOW_BITS = 6;
const LOW_MASK = 0x3f;
const VARIANT = 0x80;

/**
 * Makes a source of UUIDs of version 7 (RFC 9562 §5.7), each greater than the one before, also when the clock is set
 * back: after the milliseconds comes a counter of 18 bits that starts anew, at random, with each millisecond (§6.2,
 * method 1), then 56 random bits. A process that starts passes the newest id that there is to `continueAbove`, and so
 * draws only ids above it even if its clock is behind.
 */
export function idSource({ nowMs, random }: IdSourceOptions): IdSource {
  let time = -1;
  let counter = 0;
  let head = "";

  function begin(ms: number): void {
    time = ms;
    const hex = ms.toString(16).padStart(12, "0");
    head = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
    const [first = 0, second = 0, third = 0] = random(3);
    counter = ((first << 16) | (second << 8) | third) & COUNTER_START_MASK;
  }

  function newId(): string {
    const now = nowMs();
    if (now > time) begin(now);
    else counter += 1;
    if (counter === COUNTER_LIMIT) begin(time + 1);
    const high = (counter >>> LOW_BITS).toString(16).padStart(3, "0");
    const low = (VARIANT | (counter & LOW_MASK)).toString(16);
    const tail = Buffer.from(random(7)).toString("hex");
    return `${head}${high}-${low}${tail.slice(0, 2)}-${tail.slice(2)}`;
  }

  function continueAbove(id: string): void {
    const ms = Number.parseInt(id.replace("-", "").slice(0, TIME_DIGITS), 16);
    if (ms >= time) begin(ms + 1);
  }
  return Object.assign(newId, { continueAbove });
}
