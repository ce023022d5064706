import { crc32, deflateSync } from "node:zlib";

/** A picture as pixels: red, green, blue and opacity, a byte each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The app's pages have some ten colours, and the blends at the edges of letters. */
const MOST_COLOURS = 64;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE = 3;

function chunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length, 0);
  head.write(type, 4, "latin1");
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), body])));
  return Buffer.concat([head, body, check]);
}

function coloursOf({ data, width, height }: Pixels): Uint32Array {
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at++) {
    const place = 4 * at;
    colours[at] = ((data[place] ?? 0) << 16) | ((data[place + 1] ?? 0) << 8) | (data[place + 2] ?? 0);
  }
  return colours;
}

function distance(one: number, other: number): number {
  const square = (shift: number): number => (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2;
  return square(16) + square(8) + square(0);
}

/** Returns the colours that are kept, and for every pixel the index of the nearest of them. */
function reduce(pixels: Pixels): { readonly kept: readonly number[]; readonly places: Uint8Array } {
  const colours = coloursOf(pixels);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const kept = byCount.slice(0, MOST_COLOURS);
  const nearest = (colour: number): number =>
    kept.reduce((best, one, at) => (distance(one, colour) < distance(kept[best] ?? 0, colour) ? at : best), 0);
  const places = new Map(byCount.map((colour) => [colour, nearest(colour)]));
  return { kept, places: Uint8Array.from(colours, (colour) => places.get(colour) ?? 0) };
}

const bytesOf = (colour: number): readonly [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
];

/** Returns the pixels of a picture as {@link smallPng} keeps them. */
export function inFewColours(pixels: Pixels): Uint8Array {
  const { kept, places } = reduce(pixels);
  const palette = new Uint32Array(Uint8Array.from(kept.flatMap((colour) => [...bytesOf(colour), 255])).buffer);
  return new Uint8Array(Uint32Array.from(places, (place) => palette[place] ?? 0).buffer);
}

/** A PNG of a third of a browser's size: frequent colours stay as they are, letters' edges get the nearest of them. */
export function smallPng(pixels: Pixels): Buffer {
  const { height, width } = pixels;
  const { kept, places } = reduce(pixels);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) rows.set(places.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE], 8);
  const palette = Buffer.from(kept.flatMap(bytesOf));
  const parts = [chunk("IHDR", header), chunk("PLTE", palette), chunk("IDAT", deflateSync(rows, { level: 9 }))];
  return Buffer.concat([SIGNATURE, ...parts, chunk("IEND", Buffer.alloc(0))]);
}
