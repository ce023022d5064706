import type { Grid } from "./grid.ts";

/** The eight masks (ISO/IEC 18004, table 10): each function is true for the modules that its mask inverts. */
export const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => ((row >> 1) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row * column) % 3) + ((row + column) % 2)) % 2 === 0,
];

/** Dark, light, dark ×3, light, dark with four light modules before or after it, as bits: what a finder looks like. */
const FINDER_LIKE: readonly number[] = [0b10111010000, 0b00001011101];
const FINDER_BITS = 11;

/**
 * Returns the penalty of a code for what makes it hard to read (ISO/IEC 18004, table 11); the mask with the least is
 * taken.
 */
export function penaltyOf(grid: Grid): number {
  let penalty = 10 * unbalance(grid) + 3 * evenSquares(grid);
  for (let line = 0; line < grid.size; line++) {
    penalty += linePenalty(grid.size, (index) => grid.get(line, index));
    penalty += linePenalty(grid.size, (index) => grid.get(index, line));
  }
  return penalty;
}

/** Penalty of runs of five or more of one colour, and of patterns that resemble a finder. */
function linePenalty(size: number, moduleAt: (index: number) => number): number {
  let penalty = 0;
  let run = 0;
  let bits = 0;
  for (let index = 0; index < size; index++) {
    const module = moduleAt(index);
    run = index > 0 && module === (bits & 1) ? run + 1 : 1;
    if (run === 5) penalty += 3;
    if (run > 5) penalty += 1;
    bits = ((bits << 1) | module) & (2 ** FINDER_BITS - 1);
    if (index + 1 >= FINDER_BITS && FINDER_LIKE.includes(bits)) penalty += 40;
  }
  return penalty;
}

/** 2 × 2 squares of one colour. */
function evenSquares(grid: Grid): number {
  let count = 0;
  for (let row = 1; row < grid.size; row++) {
    for (let column = 1; column < grid.size; column++) {
      const dark = grid.get(row, column) + grid.get(row, column - 1) + grid.get(row - 1, column);
      if ((dark + grid.get(row - 1, column - 1)) % 4 === 0) count++;
    }
  }
  return count;
}

/** How many steps of 5 % the share of dark modules is away from one half. */
function unbalance(grid: Grid): number {
  const dark = grid.dark.reduce((sum, module) => sum + module, 0);
  return Math.abs(Math.ceil((dark * 100) / grid.dark.length / 5) - 10);
}
