/** Why there is no camera, in the person's terms. */
export type CameraFault = "refused" | "missing" | "busy" | "insecure";

const faultByName: Readonly<Record<string, CameraFault>> = Object.freeze({
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
});

/** The fault that an error of `getUserMedia` means; undefined for an error that is not about the camera. */
export function cameraFaultOf(error: unknown): CameraFault | undefined {
  if (!(error instanceof DOMException)) return undefined;
  return faultByName[error.name];
}

/** The torch is part of Image Capture, which TypeScript's types leave out. */
interface TorchCapabilities extends MediaTrackCapabilities {
  readonly torch?: boolean;
}

/** The rear camera, shown in a video element. Its tracks are stopped whenever it is not in use. */
export class Camera {
  readonly #video: HTMLVideoElement;
  #stream: MediaStream | undefined;
  #wanted = false;

  constructor(video: HTMLVideoElement) {
    this.#video = video;
  }

  /** Whether its picture is being shown. */
  get running(): boolean {
    return this.#stream !== undefined;
  }

  /** Whether the camera has a torch that can be turned on. */
  get hasTorch(): boolean {
    const capabilities = this.#track?.getCapabilities?.() as TorchCapabilities | undefined;
    return capabilities?.torch === true;
  }

  /** Opens the camera; resolves to the fault when there is none, or when `stop` came first. */
  async start(): Promise<CameraFault | undefined> {
    if (navigator.mediaDevices === undefined) return "insecure";
    this.#wanted = true;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: { ideal: "environment" }, width: { ideal: 1_280 }, height: { ideal: 720 } },
      });
      if (!this.#wanted) return stopTracks(stream);
      this.#stream = stream;
      this.#video.srcObject = stream;
      await this.#video.play();
      return undefined;
    } catch (error) {
      const fault = cameraFaultOf(error);
      if (!this.#wanted) return undefined;
      this.stop();
      if (fault === undefined) throw error;
      return fault;
    }
  }

  /** Lets the camera go, so that its light goes out. */
  stop(): void {
    this.#wanted = false;
    if (this.#stream !== undefined) stopTracks(this.#stream);
    this.#stream = undefined;
    this.#video.srcObject = null;
  }

  /** Turns the torch on or off. */
  async light(on: boolean): Promise<void> {
    await this.#track?.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
  }

  /** The newest frame, once there is one. */
  async frame(): Promise<ImageBitmap | undefined> {
    if (this.#stream === undefined || this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
    return createImageBitmap(this.#video);
  }

  get #track(): MediaStreamTrack | undefined {
    return this.#stream?.getVideoTracks()[0];
  }
}

function stopTracks(stream: MediaStream): undefined {
  for (const track of stream.getTracks()) track.stop();
}
