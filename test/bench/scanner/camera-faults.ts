import type { Light } from "./paint-scene.ts";
import { normal, type Random } from "./random.ts";

/** One step of grey, and full cover, in the four bytes of a pixel. */
const GREY = 0x01_01_01;
const OPAQUE = 0xff_00_00_00;

/** One step of a camera's distortion, which makes another picture of the one before. */
export type CameraFault = (light: Light, random: Random) => Light;

function changed(light: Light, change: (value: number, x: number, y: number) => number): Light {
  const { width, height } = light;
  const values = new Float32Array(light.values.length);
  let index = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) values[index] = change(light.values[index] ?? 0, x, y);
  }
  return { width, height, values };
}

/** Mixes each pixel with those before and behind it in one direction; the middle weight is the pixel's own. */
function smeared(light: Light, weights: Float32Array, [dx, dy]: readonly [number, number]): Light {
  const { width, height, values } = light;
  const reach = (weights.length - 1) / 2;
  const [stepsX, stepsY] = [dx, dy].map((part) => weights.map((_, index) => Math.round((index - reach) * part)));
  return changed(light, (_, x, y) => {
    let sum = 0;
    for (let index = 0; index < weights.length; index++) {
      const atX = Math.min(width - 1, Math.max(0, x + (stepsX?.[index] ?? 0)));
      const atY = Math.min(height - 1, Math.max(0, y + (stepsY?.[index] ?? 0)));
      sum += (weights[index] ?? 0) * (values[atY * width + atX] ?? 0);
    }
    return sum;
  });
}

function normalized(weights: readonly number[]): Float32Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Float32Array.from(weights, (weight) => weight / sum);
}

/** Out of focus, or the softness of any lens: a bell of that deviation in pixels. */
export function unsharp(deviation: number): CameraFault {
  const reach = Math.ceil(deviation * 3);
  const weights = normalized(
    Array.from({ length: 2 * reach + 1 }, (_, index) => Math.exp(-((index - reach) ** 2) / (2 * deviation ** 2))),
  );
  return (light) => smeared(smeared(light, weights, [1, 0]), weights, [0, 1]);
}

/** Moved while exposing: so many pixels in that direction. */
export function shaken(pixels: number, degrees: number): CameraFault {
  const reach = Math.max(1, Math.round(pixels / 2));
  const angle = (degrees * Math.PI) / 180;
  const weights = normalized(Array.from({ length: 2 * reach + 1 }, () => 1));
  return (light) => smeared(light, weights, [Math.cos(angle), Math.sin(angle)]);
}

/** A lamp mirrored in the screen or the laminate: adds light around a place (shares of the picture). */
export function mirrored(lamp: {
  readonly at: readonly [number, number];
  readonly radius: number;
  readonly strength: number;
}): CameraFault {
  return (light) => {
    const [atX, atY] = [lamp.at[0] * light.width, lamp.at[1] * light.height];
    const radius = lamp.radius * light.height;
    return changed(light, (value, x, y) => {
      const distance = ((x - atX) ** 2 + (y - atY) ** 2) / radius ** 2;
      return value + lamp.strength * Math.exp(-distance / 2);
    });
  };
}

/** Too little light, from one side: the share of contrast that is left, and how much darker the far side is. */
export function dimmed(share: number, fall: number, degrees: number): CameraFault {
  const angle = (degrees * Math.PI) / 180;
  return (light) => {
    const { width, height } = light;
    return changed(light, (value, x, y) => {
      const along = ((x / width - 0.5) * Math.cos(angle) + (y / height - 0.5) * Math.sin(angle)) * 2;
      return 0.04 + value * share * (1 - fall * (0.5 + along / 2));
    });
  };
}

/** The noise of a sensor: the same everywhere, and more of it where there is light. */
export function noisy(deviation: number): CameraFault {
  return (light, random) =>
    changed(light, (value) => value + normal(random) * deviation * (0.6 + 0.4 * Math.sqrt(Math.max(0, value))));
}

/** Returns the camera's output: every value clipped and rounded, as opaque RGBA. */
export function exposed({ values }: Light): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint32Array(values.length);
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    const shade = Math.min(255, Math.max(0, Math.round((values[pixel] ?? 0) * 255)));
    pixels[pixel] = shade * GREY + OPAQUE;
  }
  return new Uint8ClampedArray(pixels.buffer);
}
