import type { ScanReply, ScanRequest } from "./scan-message.ts";
import { takeWorker } from "./take-worker.ts";

/** Client of the worker that reads codes in pictures; several pictures may be under way at a time. */
export class ScanReader {
  readonly #worker: Worker;
  readonly #wanted: string;
  readonly #waiting = new Map<number, { done: (texts: readonly string[]) => void; failed: (error: Error) => void }>();
  #requests = 0;
  #failure: Error | undefined;

  /** `wanted` is part of the text of every wanted code. */
  constructor(wanted: string) {
    this.#wanted = wanted;
    this.#worker = takeWorker();
    this.#worker.addEventListener("message", ({ data }: MessageEvent<ScanReply>) => {
      this.#waiting.get(data.id)?.done(data.texts);
      this.#waiting.delete(data.id);
    });
    this.#worker.addEventListener("error", ({ message }) =>
      this.#fail(new Error(`the scan worker failed: ${message}`)),
    );
  }

  /** True while a picture is being read, so that a newer frame should wait for the next turn. */
  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  /** Reads a picture, which is handed over; resolves to the texts of its codes, of the wanted ones where it has any. */
  read(picture: ImageBitmap, effort: ScanRequest["effort"]): Promise<readonly string[]> {
    if (this.#failure !== undefined) {
      picture.close();
      return Promise.reject(this.#failure);
    }
    const id = this.#requests++;
    const request: ScanRequest = { id, picture, effort, wanted: this.#wanted };
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#worker.postMessage(request, [picture]);
    });
  }

  /** Ends the worker; pending reads find nothing. */
  close(): void {
    this.#worker.terminate();
    for (const { done } of this.#waiting.values()) done([]);
    this.#waiting.clear();
  }

  #fail(error: Error): void {
    this.#failure = error;
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
  }
}
