/**
 * Dependencies of {@link FrameWatch}: the source of the camera frames, their reader, and the callback for the texts of
 * codes.
 */
export interface FrameWatchOptions<Frame> {
  /** Resolves when there may be a newer frame. */
  readonly nextFrame: () => Promise<void>;
  /** Takes the newest frame, if there is any. */
  readonly take: () => Promise<Frame | undefined>;
  /** True while the reader has something else to read, such as an image file. */
  readonly isBusy: () => boolean;
  readonly read: (frame: Frame) => Promise<readonly string[]>;
  readonly found: (texts: readonly string[]) => void;
}

/**
 * Reads the newest camera frame whenever the reader is free. A frame that comes while another is being read is never
 * taken, so that none waits in a queue and what is found is what stands before the camera now.
 */
export class FrameWatch<Frame> {
  readonly #options: FrameWatchOptions<Frame>;
  #isOn = true;

  constructor(options: FrameWatchOptions<Frame>) {
    this.#options = options;
  }

  /** Watches until stopped; rejects when a frame cannot be read. */
  async run(): Promise<void> {
    const { nextFrame, take, isBusy, read, found } = this.#options;
    while (this.#isOn) {
      await nextFrame();
      if (!this.#isOn || isBusy()) continue;
      const frame = await take();
      const texts = frame === undefined ? [] : await read(frame);
      if (texts.length > 0 && this.#isOn) found(texts);
    }
  }

  /** Takes no further frame, and reports no code found in the one being read. */
  stop(): void {
    this.#isOn = false;
  }
}
