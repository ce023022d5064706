import { type QrMatrix, QUIET_ZONE } from "../../../src/qr-path.ts";

/** A picture in shades of grey: 0 is black, 1 white, and the camera clips values outside. */
export interface Light {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** How a code lies before the camera. */
export interface Pose {
  /** Side of the plate, quiet zone included, in pixels where it faces the camera. */
  readonly side: number;
  /** Degrees by which it is turned in its plane, and tilted out of it towards `towards`. */
  readonly turn: number;
  readonly tilt: number;
  readonly towards: number;
  /** Where its middle is, from the picture's middle, as a share of the picture. */
  readonly aside: readonly [number, number];
}

/** The code, its pose and its surroundings that a picture shows. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly matrix: QrMatrix;
  readonly pose: Pose;
  /** How bright paper and ink are. */
  readonly paper: number;
  readonly ink: number;
  /** The brightness of what lies around the plate, pixel by pixel. */
  readonly ground: Float32Array;
  /** The brightness of what covers the code at a place, in modules; undefined where nothing does. */
  readonly cover?: (u: number, v: number) => number | undefined;
}

type Vector = readonly [number, number, number];

/** The focal length of a phone's camera, in widths of its picture. */
const FOCAL_LENGTH = 0.9;
/** Points of each pixel that are sampled in each direction. */
const POINTS = 2;
/** No pixel sees more modules than that at once. */
const MARGIN = 4;

function dot([a, b, c]: Vector, [x, y, z]: Vector): number {
  return a * x + b * y + c * z;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** The plate's own directions and its middle, as the camera sees them; one unit is a pixel at the focal distance. */
function frameOf({ width, height, pose }: Scene): { readonly right: Vector; readonly down: Vector; middle: Vector } {
  const focal = FOCAL_LENGTH * width;
  const [turn, tilt, towards] = [radians(pose.turn), radians(pose.tilt), radians(pose.towards)];
  // Turned about the axis that lies in the plane, across the direction in which it falls away (Rodrigues).
  const axis: Vector = [-Math.sin(towards), Math.cos(towards), 0];
  const tilted = (x: number, y: number): Vector => {
    const along = dot(axis, [x, y, 0]) * (1 - Math.cos(tilt));
    const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
    return [x * cos + axis[0] * along, y * cos + axis[1] * along, (axis[0] * y - axis[1] * x) * sin];
  };
  return {
    right: tilted(Math.cos(turn), Math.sin(turn)),
    down: tilted(-Math.sin(turn), Math.cos(turn)),
    middle: [pose.aside[0] * width, pose.aside[1] * height, focal],
  };
}

/** A line's value at a pixel: so much, and so much more for each pixel to the right and down. */
type Slope = readonly [number, number, number];

/** The map from pixels to modules: two slopes, each divided by the third, from the code's corner on. */
interface ModuleMap {
  readonly right: Slope;
  readonly down: Slope;
  readonly depth: Slope;
}

function moduleMap(scene: Scene): ModuleMap {
  const { width, height, matrix, pose } = scene;
  const { right, down, middle } = frameOf(scene);
  const normal: Vector = [
    right[1] * down[2] - right[2] * down[1],
    right[2] * down[0] - right[0] * down[2],
    right[0] * down[1] - right[1] * down[0],
  ];
  const slope = ([x, y, z]: Vector): Slope => [middle[2] * z - (x * width) / 2 - (y * height) / 2, x, y];
  const [distance, depth] = [dot(middle, normal), slope(normal)];
  const modules = (matrix.size + 2 * QUIET_ZONE) / pose.side;
  // The plate's middle is the code's; along a direction of it lies distance × slope ÷ depth, less the middle's own.
  const along = (direction: Vector): Slope => {
    const offset = matrix.size / 2 - dot(middle, direction) * modules;
    const own = slope(direction);
    const part = (at: 0 | 1 | 2): number => distance * modules * own[at] + offset * depth[at];
    return [part(0), part(1), part(2)];
  };
  return { right: along(right), down: along(down), depth };
}

function at([start, right, down]: Slope, x: number, y: number): number {
  return start + right * x + down * y;
}

/** How bright the plate is there, in modules from the code's corner; undefined beside it. */
function plateAt({ matrix, paper, ink, cover }: Scene, u: number, v: number): number | undefined {
  const end = matrix.size + QUIET_ZONE;
  if (!(u >= -QUIET_ZONE && v >= -QUIET_ZONE && u < end && v < end)) return undefined;
  const covered = cover?.(u, v);
  if (covered !== undefined) return covered;
  const isInside = u >= 0 && v >= 0 && u < matrix.size && v < matrix.size;
  return isInside && matrix.isDark(Math.floor(v), Math.floor(u)) ? ink : paper;
}

/** Paints a scene as an ideal camera would see it: sharp, evenly exposed, without noise. */
export function paintScene(scene: Scene): Light {
  const { width, height, ground } = scene;
  const values = ground.slice();
  const map = moduleMap(scene);
  const lightAt = (x: number, y: number, around: number): number => {
    const depth = at(map.depth, x, y);
    // A point behind the camera is not seen.
    return depth > 0 ? (plateAt(scene, at(map.right, x, y) / depth, at(map.down, x, y) / depth) ?? around) : around;
  };
  const [least, most] = [-QUIET_ZONE - MARGIN, scene.matrix.size + QUIET_ZONE + MARGIN];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const depth = at(map.depth, x + 0.5, y + 0.5);
      const [u, v] = [at(map.right, x, y) / depth, at(map.down, x, y) / depth];
      if (!(depth > 0 && u > least && v > least && u < most && v < most)) continue;
      const index = y * width + x;
      values[index] = pixelLight(x, y, (pointX, pointY) => lightAt(pointX, pointY, ground[index] ?? 0));
    }
  }
  return { width, height, values };
}

/** Returns the mean brightness at several points of a pixel. */
function pixelLight(x: number, y: number, lightAt: (x: number, y: number) => number): number {
  let sum = 0;
  for (let row = 0.5; row < POINTS; row++) {
    for (let column = 0.5; column < POINTS; column++) sum += lightAt(x + column / POINTS, y + row / POINTS);
  }
  return sum / (POINTS * POINTS);
}
