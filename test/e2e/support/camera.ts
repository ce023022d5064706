import type { BrowserContext, Page } from "playwright-core";

interface FakeCamera {
  /** The picture before the lens. */
  picture?: CanvasImageSource & { readonly width: number; readonly height: number };
  /** Longest side of the picture in the frame, in px. */
  side?: number;
  readonly tracks: MediaStreamTrack[];
}

declare global {
  var fakeCamera: FakeCamera;
}

/**
 * Runs in the page: replaces the device's camera by one of 1280 × 720. It films a table in uneven light on which the
 * picture lies a little askew, as a hand holds a phone.
 */
export function replaceCamera(): void {
  // A page that is not from this machine or over https has no camera.
  if (navigator.mediaDevices === undefined) return;
  const camera: FakeCamera = { tracks: [] };
  globalThis.fakeCamera = camera;
  const film = async (): Promise<MediaStream> => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1_280, height: 720 });
    const paper = canvas.getContext("2d");
    if (paper === null) throw new Error("no canvas");
    const light = paper.createLinearGradient(0, 0, 1_280, 720);
    light.addColorStop(0, "#b9ae9c");
    light.addColorStop(1, "#6f675b");
    const draw = (): void => {
      paper.setTransform(1, 0, 0, 1, 0, 0);
      paper.fillStyle = light;
      paper.fillRect(0, 0, 1_280, 720);
      if (camera.picture === undefined) return;
      const scale = (camera.side ?? 460) / Math.max(camera.picture.width, camera.picture.height);
      paper.setTransform(scale, 0, 0, scale, 660, 350);
      paper.rotate(0.06);
      paper.drawImage(camera.picture, -camera.picture.width / 2, -camera.picture.height / 2);
    };
    draw();
    setInterval(draw, 40);
    const stream = canvas.captureStream(25);
    camera.tracks.push(...stream.getTracks());
    return stream;
  };
  // WebKit may forget a property of the object itself.
  Object.defineProperty(MediaDevices.prototype, "getUserMedia", { value: film });
}

/** Runs in the page: keeps the tracks of the device's own camera, which goes on being used. */
export function watchCamera(): void {
  const camera: FakeCamera = { tracks: [] };
  globalThis.fakeCamera = camera;
  const { getUserMedia } = MediaDevices.prototype;
  async function watched(this: MediaDevices, constraints?: MediaStreamConstraints): Promise<MediaStream> {
    const stream = await getUserMedia.call(this, constraints);
    camera.tracks.push(...stream.getTracks());
    return stream;
  }
  Object.defineProperty(MediaDevices.prototype, "getUserMedia", { value: watched });
}

/** Runs in the page: true if the camera has been used on this page and none of its tracks runs any more. */
export function isCameraOff(): boolean {
  const { tracks } = globalThis.fakeCamera;
  return tracks.length > 0 && tracks.every((track) => track.readyState === "ended");
}

/** Runs in the page: holds a picture before that camera, a PNG in base64, as large as that or the usual 460 px. */
export async function holdBeforeCamera([data, side]: readonly [data: string, side: number | undefined]): Promise<void> {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  Object.assign(globalThis.fakeCamera, { picture: image, side });
}

/** Gives every page of a context that camera. */
export async function installCamera(context: BrowserContext): Promise<void> {
  await context.addInitScript(replaceCamera);
}

/** Holds a picture before the camera, with its longest side as large as that in the frame, or 460 px. */
export async function showToCamera(page: Page, png: Buffer, side?: number): Promise<void> {
  await page.evaluate(holdBeforeCamera, [png.toString("base64"), side] as const);
}
