import { QUIET_ZONE } from "../../../src/qr-path.ts";
import { type CameraFault, dimmed, mirrored, noisy, shaken, unsharp } from "./camera-faults.ts";
import type { Pose, Scene } from "./paint-scene.ts";
import { between, type Random } from "./random.ts";

/** A group of pictures, named after their difficulty. */
export type PictureGroup =
  | "plain"
  | "perspective"
  | "blur"
  | "glare"
  | "low light"
  | "inverted"
  | "small"
  | "rotated"
  | "damaged";

/** The input for drawing a group's picture; `hard` goes from easy (0) to as hard as the group gets (1). */
export interface Draw {
  readonly random: Random;
  readonly hard: number;
  /** Modules along a side, quiet zone included. */
  readonly modules: number;
}

/** How the pictures of a group differ from plain ones. */
export interface Difficulty {
  readonly pose?: (draw: Draw) => Partial<Pose>;
  readonly scene?: (draw: Draw) => Partial<Scene>;
  /** The faults of the camera; `pixels` is the side of one module. */
  readonly faults?: (draw: Draw, pixels: number) => readonly CameraFault[];
}

function grow(hard: number, least: number, most: number): number {
  return least + (most - least) * hard;
}

function blurred({ random, hard }: Draw, pixels: number): readonly CameraFault[] {
  if (random() < 0.6) return [unsharp(pixels * grow(hard, 0.3, 0.85))];
  return [shaken(pixels * grow(hard, 0.8, 2.2), between(random, 0, 180))];
}

function glaring({ random, hard }: Draw): readonly CameraFault[] {
  const lamp = () =>
    mirrored({
      at: [between(random, 0.36, 0.64), between(random, 0.25, 0.75)],
      radius: between(random, 0.05, 0.09) * grow(hard, 1, 2.2),
      strength: grow(hard, 0.3, 1),
    });
  return random() < 0.5 ? [lamp()] : [lamp(), lamp()];
}

/** Blots, and a strip as of a scratch or a fold; each darker or brighter than what it covers. */
function damage({ random, hard, modules }: Draw): NonNullable<Scene["cover"]> {
  const size = modules - 2 * QUIET_ZONE;
  const blots = Array.from({ length: 2 + Math.floor(random() * 3) }, () => ({
    u: between(random, 0, size),
    v: between(random, 0, size),
    radius: size * between(random, 0.02, 0.05) * grow(hard, 1, 2.6),
    shade: random() < 0.5 ? 0.15 : 0.9,
  }));
  const [angle, across] = [between(random, 0, Math.PI), between(random, 0.25, 0.75) * size];
  const scratch = grow(hard, 0.3, 1.6);
  return (u, v) => {
    const blot = blots.find(({ u: blotU, v: blotV, radius }) => Math.hypot(u - blotU, v - blotV) < radius);
    if (blot !== undefined) return blot.shade;
    const off = (u - size / 2) * Math.cos(angle) + (v - size / 2) * Math.sin(angle) + size / 2 - across;
    return Math.abs(off) < scratch ? 0.8 : undefined;
  };
}

/** Every group, in the order of the table. */
export const pictureGroups: Readonly<Record<PictureGroup, Difficulty>> = Object.freeze({
  plain: {},
  perspective: {
    pose: ({ random, hard }) => ({ tilt: grow(hard, 30, 68), side: between(random, 480, 620) }),
  },
  blur: { faults: blurred },
  glare: { faults: glaring },
  "low light": {
    faults: ({ random, hard }) => [
      dimmed(grow(hard, 0.3, 0.07), grow(hard, 0.2, 0.8), between(random, 0, 360)),
      noisy(grow(hard, 0.01, 0.025)),
    ],
  },
  inverted: {
    scene: ({ random }) => ({ paper: between(random, 0.08, 0.2), ink: between(random, 0.75, 0.95) }),
    faults: ({ hard }, pixels) => [unsharp(pixels * grow(hard, 0.15, 0.6))],
  },
  small: { pose: ({ hard, modules }) => ({ side: modules * grow(hard, 3, 1.4) }) },
  rotated: { pose: ({ random }) => ({ turn: between(random, 0, 360), tilt: between(random, 0, 30) }) },
  damaged: { scene: (draw) => ({ cover: damage(draw) }) },
});
