import { nameOfError } from "../../src/name-of-error.ts";

/**
 * Why there is no camera picture, as the person is told: not permitted, no camera, in use elsewhere, or an insecure
 * page.
 */
export type CameraFault = "refused" | "missing" | "busy" | "insecure";

const faultByName: Readonly<Record<string, CameraFault>> = Object.freeze({
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
});

/**
 * Returns the fault that an error of `getUserMedia` means; undefined for an error that is not about the camera. Its
 * name decides: in WebKit an `OverconstrainedError` is no `DOMException`.
 */
export function cameraFaultOf(error: unknown): CameraFault | undefined {
  const name = nameOfError(error);
  return Object.hasOwn(faultByName, name) ? faultByName[name] : undefined;
}

/** Torch and zoom are part of Image Capture, which TypeScript's types leave out. */
interface LensCapabilities extends MediaTrackCapabilities {
  readonly torch?: boolean;
  readonly zoom?: ZoomRange;
}

interface LensConstraints extends MediaTrackConstraints {
  readonly torch?: boolean;
  readonly zoom?: number | boolean;
}

/** How far a camera zooms, in its own unit. */
export interface ZoomRange {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
}

/** A camera of the device, by the name that the browser has for it. */
export interface CameraChoice {
  readonly id: string;
  readonly label: string;
}

/** Frames as large as this hold version 13 in a third of the picture, and are read in a few milliseconds. */
const FRAME: MediaTrackConstraints = { width: { ideal: 1_280 }, height: { ideal: 720 } };

function constraintsFor(cameraId: string | undefined): MediaStreamConstraints {
  const which = cameraId === undefined ? { facingMode: { ideal: "environment" } } : { deviceId: { exact: cameraId } };
  const video: LensConstraints = { ...FRAME, ...which, zoom: true };
  return { audio: false, video };
}

/** The chosen camera, or the rear one, shown in a video element. Its tracks are stopped whenever it is not in use. */
export class Camera {
  readonly #video: HTMLVideoElement;
  #stream: MediaStream | undefined;
  #starts = 0;

  constructor(video: HTMLVideoElement) {
    this.#video = video;
  }

  /** True while the camera is open. */
  get running(): boolean {
    return this.#stream !== undefined;
  }

  /** True if the camera has a torch that can be turned on. */
  get hasTorch(): boolean {
    return this.#capabilities?.torch === true;
  }

  /** How far the camera zooms; undefined where it does not. */
  get zoomRange(): ZoomRange | undefined {
    const range = this.#capabilities?.zoom;
    return range !== undefined && range.max > range.min ? range : undefined;
  }

  /** The zoom at present. */
  get zoom(): number {
    const { zoom } = (this.#track?.getSettings() ?? {}) as { readonly zoom?: number };
    return zoom ?? this.zoomRange?.min ?? 1;
  }

  /** The id of the camera in use. */
  get id(): string | undefined {
    return this.#track?.getSettings().deviceId;
  }

  /** Every camera of the device. Names are known once the person has permitted one. */
  async choices(): Promise<readonly CameraChoice[]> {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices
      .filter(({ kind, deviceId }) => kind === "videoinput" && deviceId !== "")
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
  }

  /**
   * Opens that camera, or the rear one where none is named or it is gone; resolves to the fault when there is none, and
   * to undefined also when `stop` or another start came first.
   */
  async start(cameraId?: string): Promise<CameraFault | undefined> {
    if (navigator.mediaDevices === undefined) return "insecure";
    this.stop();
    const start = this.#starts;
    try {
      const stream = await openStream(cameraId);
      if (start !== this.#starts) return stopTracks(stream);
      this.#stream = stream;
      this.#video.srcObject = stream;
      await this.#video.play();
      return undefined;
    } catch (error) {
      const fault = cameraFaultOf(error);
      if (start !== this.#starts) return undefined;
      this.stop();
      if (fault === undefined) throw error;
      return fault;
    }
  }

  /** Releases the camera, so that its light goes out. */
  stop(): void {
    this.#starts++;
    if (this.#stream !== undefined) stopTracks(this.#stream);
    this.#stream = undefined;
    this.#video.srcObject = null;
  }

  /** Turns the torch on or off. */
  async light(on: boolean): Promise<void> {
    await this.#apply({ torch: on });
  }

  /** Sets the zoom, in the camera's own unit. */
  async zoomTo(zoom: number): Promise<void> {
    await this.#apply({ zoom });
  }

  /** The newest frame, once there is one. */
  async frame(): Promise<ImageBitmap | undefined> {
    if (this.#stream === undefined || this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
    return createImageBitmap(this.#video);
  }

  async #apply(constraints: LensConstraints): Promise<void> {
    await this.#track?.applyConstraints({ advanced: [constraints as MediaTrackConstraintSet] });
  }

  get #capabilities(): LensCapabilities | undefined {
    return this.#track?.getCapabilities?.();
  }

  get #track(): MediaStreamTrack | undefined {
    return this.#stream?.getVideoTracks()[0];
  }
}

async function openStream(cameraId: string | undefined): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia(constraintsFor(cameraId));
  } catch (error) {
    // The chosen one was unplugged, or the browser has given all of them new ids.
    if (cameraId === undefined || cameraFaultOf(error) !== "missing") throw error;
    return navigator.mediaDevices.getUserMedia(constraintsFor(undefined));
  }
}

function stopTracks(stream: MediaStream): undefined {
  for (const track of stream.getTracks()) track.stop();
}
