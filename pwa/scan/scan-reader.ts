import { scriptUrlPolicy } from "../platform/trusted-types.ts";
import type { ScanReply, ScanRequest } from "./scan-message.ts";
import workerUrl from "./scan-worker.ts?worker&url";

/** Client of the worker that reads codes in pictures; several pictures may be under way at a time. */
export class ScanReader {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { done: (text?: string) => void; failed: (error: Error) => void }>();
  #requests = 0;

  constructor() {
    this.#worker = new Worker(scriptUrlPolicy().createScriptURL(workerUrl), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<ScanReply>) => {
      this.#waiting.get(data.id)?.done(data.text);
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

  /** Reads a picture, which is handed over; resolves to the code's text, or to undefined when there is none. */
  read(picture: ImageBitmap, effort: ScanRequest["effort"]): Promise<string | undefined> {
    const id = this.#requests++;
    const request: ScanRequest = { id, picture, effort };
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#worker.postMessage(request, [picture]);
    });
  }

  /** Ends the worker; pending reads resolve to undefined. */
  close(): void {
    this.#worker.terminate();
    for (const { done } of this.#waiting.values()) done();
    this.#waiting.clear();
  }

  #fail(error: Error): void {
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
  }
}
