import { nameOfError } from "../../src/name-of-error.ts";
import { Camera, type CameraChoice, type CameraFault, type ZoomRange } from "./camera.ts";
import { FrameWatch } from "./frame-watch.ts";
import type { ScanReader } from "./scan-reader.ts";

/** Side at which a drawing without a size of its own is drawn: large enough for every module of version 13. */
const DRAWING_SIDE = 1_024;

/** The names of what is thrown for a file that is no picture, is broken, or cannot be read (HTML; File API). */
const PICTURE_FAULTS: ReadonlySet<string> = new Set(["InvalidStateError", "EncodingError", "NotReadableError"]);

function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result)));
    reader.addEventListener("error", () => failed(reader.error));
    reader.readAsDataURL(file);
  });
}

/** Draws an SVG through an image element; as a `data:` URL, since the page admits no `blob:` images. */
async function drawnByElement(file: Blob): Promise<ImageBitmap> {
  const image = new Image();
  image.src = await dataUrlOf(file);
  await image.decode();
  const scale = DRAWING_SIDE / Math.max(image.naturalWidth, image.naturalHeight, 1);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale) || DRAWING_SIDE;
  canvas.height = Math.round(image.naturalHeight * scale) || DRAWING_SIDE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return createImageBitmap(canvas);
}

/** The picture in an image file of any kind that the browser shows; undefined when it is none. */
async function pictureOfFile(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    if (file.type !== "image/svg+xml") return await createImageBitmap(file);
    return await drawnByElement(file);
  } catch (error) {
    if (!PICTURE_FAULTS.has(nameOfError(error))) throw error;
    return undefined;
  }
}

/** Reports an error that is none of the known ones; the person uses the ways beside the camera, as if it were taken. */
function unknownFault(error: unknown): CameraFault {
  reportError(error);
  return "busy";
}

/** Resolves when a video shows another frame, or at the next repaint where the browser does not report frames. */
function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((done) => {
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(() => done());
  });
}

/**
 * State of the camera: `read` shows the frame with the code that was taken, and `unread` means that the camera works,
 * but the code reader could not be fetched.
 */
export type CameraState = "starting" | "on" | "read" | "unread" | CameraFault;

/** The part of {@link ScanReader} that a scanner uses. */
export type PictureReading = Pick<ScanReader, "busy" | "read" | "close">;

/** Dependencies and callbacks of {@link Scanner}. */
export interface ScannerOptions {
  readonly newReader: () => PictureReading;
  /** Where the chosen camera is remembered, on this device. */
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  /** Called with the codes before the camera, once as long as they are the same. */
  readonly found: (texts: readonly string[]) => void;
  /** Called when something else is to be shown. */
  readonly changed: () => void;
}

const PLACE = "cupo.camera";

/** Operates the camera of a page, and reads codes in its frames and in image files. */
export class Scanner {
  readonly #options: ScannerOptions;
  readonly #video: HTMLVideoElement;
  readonly #camera: Camera;
  /** Created with the first picture to read. */
  #reader: PictureReading | undefined;
  #watch: FrameWatch<ImageBitmap> | undefined;
  /** The texts of the codes that were found last. */
  #last = "";
  #isClosed = false;
  #state: CameraState = "starting";
  #lit = false;
  #choices: readonly CameraChoice[] = [];

  constructor(video: HTMLVideoElement, options: ScannerOptions) {
    this.#video = video;
    this.#camera = new Camera(video);
    this.#options = options;
  }

  /** State of the camera. */
  get state(): CameraState {
    return this.#state;
  }

  /** True while the torch is on. */
  get lit(): boolean {
    return this.#lit;
  }

  /** True if there is a torch. */
  get hasTorch(): boolean {
    return this.#camera.hasTorch;
  }

  /** How far the camera zooms; undefined where it does not. */
  get zoomRange(): ZoomRange | undefined {
    return this.#camera.zoomRange;
  }

  /** The zoom at present. */
  get zoom(): number {
    return this.#camera.zoom;
  }

  /** The cameras to choose from; none unless there are several. */
  get choices(): readonly CameraChoice[] {
    return this.#choices.length > 1 ? this.#choices : [];
  }

  /** The id of the camera in use. */
  get cameraId(): string | undefined {
    return this.#camera.id;
  }

  /** Opens the camera that was chosen last, else the rear one, and reads until paused. */
  async resume(): Promise<void> {
    if (this.#isClosed || this.#camera.running) return;
    this.#show("starting");
    const fault = await this.#camera.start(this.#options.storage.getItem(PLACE) ?? undefined).catch(unknownFault);
    if (fault !== undefined) this.#show(fault);
    // The page was left or hidden while the person was being asked.
    if (!this.#camera.running) return;
    this.#show("on");
    await Promise.all([this.#watchFrames().catch((error: unknown) => this.#unread(error)), this.#listCameras()]);
  }

  /** Reads no more, and keeps the last frame on the screen until the camera is released. */
  freeze(): void {
    if (this.#state !== "on") return;
    this.#watch?.stop();
    this.#video.pause();
    this.#show("read");
  }

  /** Releases the camera. */
  pause(): void {
    this.#watch?.stop();
    this.#camera.stop();
    this.#lit = false;
    this.#show("starting");
  }

  /** Releases the camera and ends the reader, for good. */
  close(): void {
    this.#isClosed = true;
    this.pause();
    this.#reader?.close();
  }

  /** Uses another camera from now on, on this device. */
  async choose(cameraId: string): Promise<void> {
    this.#options.storage.setItem(PLACE, cameraId);
    this.pause();
    await this.resume();
  }

  /** Turns the torch on, or off. */
  async toggleTorch(): Promise<void> {
    await this.#camera.light(!this.#lit);
    this.#lit = !this.#lit;
    this.#options.changed();
  }

  /** Sets the zoom, in the camera's own unit. */
  zoomTo(zoom: number): Promise<void> {
    return this.#camera.zoomTo(zoom);
  }

  /** The texts of the codes in an image file. Rejects when no reader can be had. */
  async readFile(file: Blob): Promise<readonly string[]> {
    try {
      const picture = await pictureOfFile(file);
      // The page was left while the picture was being opened: nothing would end a worker that is started now.
      if (this.#isClosed) picture?.close();
      return this.#isClosed || picture === undefined ? [] : await this.#reading().read(picture, "file");
    } catch (error) {
      this.#dropReader();
      throw error;
    }
  }

  async #watchFrames(): Promise<void> {
    this.#watch?.stop();
    const reader = this.#reading();
    const watch = new FrameWatch<ImageBitmap>({
      nextFrame: () => nextFrame(this.#video),
      take: () => this.#camera.frame(),
      isBusy: () => reader.busy,
      read: (frame) => reader.read(frame, "frame"),
      found: (texts) => this.#found(texts),
    });
    this.#watch = watch;
    await watch.run();
  }

  #found(texts: readonly string[]): void {
    const all = [...texts].sort().join("\n");
    if (all === this.#last) return;
    this.#last = all;
    this.#options.found(texts);
  }

  async #listCameras(): Promise<void> {
    this.#choices = await this.#camera.choices();
    this.#options.changed();
  }

  /** Releases a camera whose frames cannot be read, because the reader could not be fetched. */
  #unread(error: unknown): void {
    reportError(error);
    if (this.#isClosed || !this.#camera.running) return;
    this.pause();
    this.#dropReader();
    this.#show("unread");
  }

  #reading(): PictureReading {
    this.#reader ??= this.#options.newReader();
    return this.#reader;
  }

  /** Drops a reader that failed: its worker remembers a failed import, a new one fetches again. */
  #dropReader(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  #show(state: CameraState): void {
    this.#state = state;
    this.#options.changed();
  }
}
