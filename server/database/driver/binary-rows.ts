/** A column of copied rows, and the property of the records that holds its value. */
export interface BinaryColumn {
  readonly property: string;
  /** The name of the column's type in PostgreSQL. */
  readonly type: Exclude<keyof BinaryValues, "clear" | "copy" | "raw" | "int16" | "int32">;
}

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const FIRST_SIZE = 64 * 1024;
/** PostgreSQL counts days and microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;
/** Type numbers of PostgreSQL's pg_type, by which an array names that of its elements. */
const [INT4, INT8] = [23, 20];
const WORD = 2 ** 32;
const UUID_LENGTH = 36;
const DASHES = [8, 13, 18, 23];
/** Where the two hexadecimal digits of each byte of a uuid begin in its text. */
const UUID_BYTES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const NO_DIGIT = 255;
/** The values of hexadecimal digits by their character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? NO_DIGIT : digit;
});
/** The most bytes that UTF-8 has for one unit of a JavaScript text. */
const BYTES_PER_UNIT = 3;
const NUMERIC_BASE = 10_000n;
const NUMERIC_NEGATIVE = 0x4000;

/** A buffer would take no number as 0, and cut a fraction off. */
function whole(value: number): number {
  if (!Number.isInteger(value)) throw new RangeError(`${value} is no whole number.`);
  return value;
}

/**
 * Writes values as PostgreSQL receives them in binary: their length in bytes, and their content, in network byte order
 * (PostgreSQL: COPY, Binary Format; the `recv` function of each type). One method per type.
 */
class BinaryValues {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;
  /** The date that was written last: rows of a batch are of one day. */
  #date = "";
  #days = Number.NaN;

  /** Forgets what was written. */
  clear(): void {
    this.#length = 0;
  }

  /** Returns the bytes that were written, in a buffer of their own. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  raw(content: Uint8Array): void {
    const at = this.#advance(content.length);
    this.#bytes.set(content, at);
  }

  int16(value: number): void {
    const at = this.#advance(2);
    this.#bytes.writeInt16BE(whole(value), at);
  }

  int32(value: number): void {
    const at = this.#advance(4);
    this.#bytes.writeInt32BE(whole(value), at);
  }

  bigint(value: bigint): void {
    this.int32(8);
    const at = this.#advance(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  boolean(value: boolean): void {
    this.int32(1);
    const at = this.#advance(1);
    this.#bytes.writeInt8(value ? 1 : 0, at);
  }

  bytea(value: Uint8Array): void {
    this.int32(value.length);
    this.raw(value);
  }

  date(value: string): void {
    if (value !== this.#date) this.#readDate(value);
    this.int32(4);
    this.int32(this.#days);
  }

  integer(value: number): void {
    this.int32(4);
    this.int32(value);
  }

  json(value: string): void {
    this.text(value);
  }

  "bigint[]"(values: readonly bigint[]): void {
    this.#array(INT8, values.length, 12);
    for (const value of values) this.bigint(value);
  }

  "integer[]"(values: readonly number[]): void {
    this.#array(INT4, values.length, 8);
    for (const value of values) this.integer(value);
  }

  /** Digits of base 10 000, the highest first; their number, the power of the first, the sign, no decimals. */
  numeric(value: bigint): void {
    const digits: number[] = [];
    for (let rest = value < 0n ? -value : value; rest > 0n; rest /= NUMERIC_BASE) {
      digits.unshift(Number(rest % NUMERIC_BASE));
    }
    this.int32(8 + 2 * digits.length);
    for (const part of [digits.length, digits.length - 1, value < 0n ? NUMERIC_NEGATIVE : 0, 0, ...digits]) {
      this.int16(part);
    }
  }

  smallint(value: number): void {
    this.int32(2);
    this.int16(value);
  }

  text(value: string): void {
    const at = this.#advance(4 + BYTES_PER_UNIT * value.length);
    const length = this.#bytes.write(value, at + 4);
    this.#bytes.writeInt32BE(length, at);
    this.#length = at + 4 + length;
  }

  timestamptz(value: Date): void {
    const microseconds = (value.getTime() - EPOCH_MS) * 1_000;
    this.int32(8);
    this.int32(Math.floor(microseconds / WORD));
    this.int32(microseconds | 0);
  }

  /** A row has many uuids: read digit by digit, one takes a sixth of the time of `Buffer.write` and a pattern. */
  uuid(value: string): void {
    this.int32(16);
    const at = this.#advance(16);
    let seen = value.length === UUID_LENGTH && DASHES.every((place) => value[place] === "-") ? 0 : NO_DIGIT;
    for (let index = 0; index < UUID_BYTES.length; index += 1) {
      const place = UUID_BYTES[index] ?? 0;
      const high = DIGITS[value.charCodeAt(place)] ?? NO_DIGIT;
      const low = DIGITS[value.charCodeAt(place + 1)] ?? NO_DIGIT;
      seen |= high | low;
      this.#bytes[at + index] = (high << 4) | low;
    }
    if (seen > 15) throw new TypeError(`${value} is no uuid.`);
  }

  /** The head of an array of one dimension without nulls, whose elements take so many bytes each. */
  #array(elementType: number, count: number, elementSize: number): void {
    this.int32(20 + count * elementSize);
    for (const part of [1, 0, elementType, count, 1]) this.int32(part);
  }

  #readDate(value: string): void {
    const day = new Date(`${value}T00:00:00Z`);
    // A 30 February is 2 March to JavaScript.
    if (!day.toISOString().startsWith(value)) throw new RangeError(`${value} is no date.`);
    this.#date = value;
    this.#days = (day.getTime() - EPOCH_MS) / DAY_MS;
  }

  /** Makes room for so many bytes, perhaps in another buffer, and returns where they begin. */
  #advance(size: number): number {
    const start = this.#length;
    this.#length += size;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length);
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    return start;
  }
}

/** Kept from one use to the next: to make room anew would cost more than to write. */
const values = new BinaryValues();

/**
 * Writes records as the rows of a `copy … from stdin (format binary)`. Throws for a value that its type does not hold,
 * and for `undefined`, which would be written as null.
 */
export function binaryRows(columns: readonly BinaryColumn[], records: readonly object[]): Buffer {
  values.clear();
  values.raw(SIGNATURE);
  for (const record of records) {
    values.int16(columns.length);
    for (const { property, type } of columns) {
      const value: unknown = record[property as keyof object];
      if (value === undefined) throw new TypeError(`${property} is undefined.`);
      if (value === null) values.int32(-1);
      else values[type](value as never);
    }
  }
  values.int16(-1);
  return values.copy();
}
