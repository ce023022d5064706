import { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** The speed of a network in one direction. */
export interface LineSpeed {
  readonly delayMs: number;
  readonly bytesPerSecond: number;
}

const PACKET_BYTES = 1_460;

/** One direction of a network: the packets of all connections over it take turns. */
export class SlowLine {
  readonly #speed: LineSpeed;
  #freeAt = 0;

  constructor(speed: LineSpeed) {
    this.#speed = speed;
  }

  /** A stream of one connection: bytes come out of it as late as the line delivers them. */
  connection(): Transform {
    const line = this;
    const { delayMs } = this.#speed;
    return new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        for (let at = 0; at < chunk.length; at += PACKET_BYTES) {
          const packet = chunk.subarray(at, at + PACKET_BYTES);
          await line.#isSent(packet.length);
          setTimeout(() => this.push(packet), delayMs);
        }
        done();
      },
      flush: (done) => void setTimeout(done, delayMs),
    });
  }

  async #isSent(bytes: number): Promise<void> {
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now) + (bytes / this.#speed.bytesPerSecond) * 1_000;
    await sleep(this.#freeAt - now);
  }
}
