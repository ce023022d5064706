import { qrMatrix } from "../../../src/qr-matrix.ts";
import { QUIET_ZONE } from "../../../src/qr-path.ts";
import { exposed, noisy, unsharp } from "./camera-faults.ts";
import { type Pose, paintScene, type Scene } from "./paint-scene.ts";
import { type Draw, type PictureGroup, pictureGroups } from "./picture-groups.ts";
import { between, type Random, seededRandom } from "./random.ts";
import { samplePayload } from "./sample-payload.ts";

/** A picture, and the text of the code in it. */
export interface SamplePicture {
  readonly payload: string;
  readonly width: number;
  readonly height: number;
  /** Opaque RGBA. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** The number of a picture in its group, and how many the group has. */
export interface PictureNumber {
  readonly group: PictureGroup;
  readonly index: number;
  readonly count: number;
  /** Pixels of the picture; a frame of a phone's camera as the app asks for it unless said otherwise. */
  readonly size?: readonly [number, number];
  /** The text of the code; a made-up one unless given. */
  readonly payload?: string;
}

const FRAME = [1_280, 720] as const;
const PATCHES = 14;

/** A table in uneven light with things on it, none of them a code. */
function tableTop(random: Random, [width, height]: readonly [number, number]): Float32Array {
  const [base, slopeX, slopeY] = [between(random, 0.3, 0.6), between(random, -0.2, 0.2), between(random, -0.2, 0.2)];
  const shades = new Float32Array(width * height).fill(base);
  for (let patch = 0; patch < PATCHES; patch++) {
    const [left, top] = [between(random, -0.1, 1) * width, between(random, -0.1, 1) * height];
    const [right, bottom] = [left + between(random, 10, 260), top + between(random, 6, 160)];
    const shade = between(random, 0.05, 0.95);
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y++) {
      shades.fill(shade, y * width + Math.max(0, Math.floor(left)), y * width + Math.max(0, Math.min(width, right)));
    }
  }
  return shades.map((shade, at) => shade + slopeX * ((at % width) / width) + slopeY * (at / width / height));
}

function plainPose(random: Random): Pose {
  return {
    side: between(random, 380, 540),
    turn: between(random, -8, 8),
    tilt: between(random, 0, 12),
    towards: between(random, 0, 360),
    aside: [between(random, -0.06, 0.06), between(random, -0.05, 0.05)],
  };
}

function seedOf({ group, index }: PictureNumber): number {
  return [...group].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) + index * 7_919;
}

/** Makes one picture of a group: always the same one, half of them of a code for one payment, the others static. */
export async function makePicture(number: PictureNumber): Promise<SamplePicture> {
  const { group, index, count, size = FRAME } = number;
  const [width, height] = size;
  const random = seededRandom(seedOf(number));
  const payload = number.payload ?? (await samplePayload(random, index % 2 === 0 ? "dynamic" : "static"));
  const matrix = qrMatrix(payload);
  const modules = matrix.size + 2 * QUIET_ZONE;
  const draw: Draw = { random, hard: count < 2 ? 0 : index / (count - 1), modules };
  const { pose: posed, scene, faults } = pictureGroups[group];
  const pose: Pose = { ...plainPose(random), ...posed?.(draw) };
  const seen: Scene = {
    ...{ width, height, matrix, pose, ground: tableTop(random, size) },
    ...{ paper: between(random, 0.75, 0.95), ink: between(random, 0.08, 0.2) },
    ...scene?.(draw),
  };
  const steps = [unsharp(0.6), ...(faults?.(draw, pose.side / modules) ?? []), noisy(0.012)];
  const light = steps.reduce((taken, fault) => fault(taken, random), paintScene(seen));
  return { payload, width, height, data: exposed(light) };
}
