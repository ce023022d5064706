/** Error correction codewords of one block at level M, by version (ISO/IEC 18004, table 9). */
const CORRECTION_PER_BLOCK = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26,
].concat(Array<number>(19).fill(28));

/** Blocks at level M, by version (ISO/IEC 18004, table 9). */
const BLOCKS = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35,
  37, 38, 40, 43, 45, 47, 49,
];

const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11];

/** From this version on, the length of a byte segment takes two bytes. */
const LONG_LENGTH_VERSION = 10;

/** Returns the smallest QR version that holds that many bytes in byte mode at level M. Throws when none does. */
export function versionFor(byteCount: number): number {
  for (let version = 1; version <= BLOCKS.length; version++) {
    const lengthBytes = version < LONG_LENGTH_VERSION ? 1 : 2;
    // The mode takes four bits and the end of the message the other four of that byte.
    if (byteCount + lengthBytes + 1 <= dataCodewords(version)) return version;
  }
  throw new RangeError("the payload is longer than a QR code holds");
}

/**
 * Returns the codewords of a version in the order in which they are placed: data, then correction, of all blocks in
 * turn.
 */
export function codewordsOf(bytes: Uint8Array, version: number): Uint8Array {
  const correction = CORRECTION_PER_BLOCK[version - 1] ?? 0;
  const blocks = splitIntoBlocks(segmentOf(bytes, version), BLOCKS[version - 1] ?? 1);
  const divisor = generatorPolynomial(correction);
  return Uint8Array.from([...interleave(blocks), ...interleave(blocks.map((block) => remainder(block, divisor)))]);
}

/** Codewords that fit a version beside its patterns (ISO/IEC 18004, table 1). */
function allCodewords(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const alignmentModules = version === 1 ? 0 : (25 * alignments - 10) * alignments - 55;
  const versionModules = version >= 7 ? 36 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - alignmentModules - versionModules) / 8);
}

function dataCodewords(version: number): number {
  return allCodewords(version) - (CORRECTION_PER_BLOCK[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0);
}

/** Mode, length, bytes, end and padding. All but the first four bits are whole bytes that are shifted by these four. */
function segmentOf(bytes: Uint8Array, version: number): Uint8Array {
  const length = version < LONG_LENGTH_VERSION ? [bytes.length] : [bytes.length >> 8, bytes.length & 0xff];
  const shifted = [BYTE_MODE, ...length, ...bytes, 0];
  const used = shifted.length - 1;
  return new Uint8Array(dataCodewords(version)).map((_, index) => {
    if (index >= used) return PADDING[(index - used) % 2] ?? 0;
    return ((shifted[index] ?? 0) << 4) | ((shifted[index + 1] ?? 0) >> 4);
  });
}

/** Splits data into blocks; the last ones take one codeword more when the division leaves a remainder. */
function splitIntoBlocks(data: Uint8Array, count: number): Uint8Array[] {
  const shortLength = Math.floor(data.length / count);
  const shortBlocks = count - (data.length % count);
  return Array.from({ length: count }, (_, block) => {
    const start = block * shortLength + Math.max(0, block - shortBlocks);
    return data.subarray(start, start + shortLength + (block < shortBlocks ? 0 : 1));
  });
}

function interleave(blocks: readonly Uint8Array[]): number[] {
  const longest = [...(blocks.at(-1) ?? [])];
  return longest.flatMap((_, index) => blocks.flatMap((block) => block[index] ?? []));
}

/** Product in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1. */
function multiply(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((right >> bit) & 1) product ^= left;
  }
  return product;
}

/** (x − 2⁰)(x − 2¹)…, highest power first, without its leading 1. */
function generatorPolynomial(degree: number): Uint8Array {
  const coefficients = new Uint8Array(degree);
  coefficients[degree - 1] = 1;
  let root = 1;
  for (let factor = 0; factor < degree; factor++) {
    coefficients.forEach((coefficient, index) => {
      coefficients[index] = multiply(coefficient, root) ^ (coefficients[index + 1] ?? 0);
    });
    root = multiply(root, 2);
  }
  return coefficients;
}

function remainder(data: Uint8Array, divisor: Uint8Array): Uint8Array {
  return data.reduce((rest, codeword) => {
    const factor = codeword ^ (rest[0] ?? 0);
    return divisor.map((coefficient, index) => (rest[index + 1] ?? 0) ^ multiply(coefficient, factor));
  }, new Uint8Array(divisor.length));
}
