import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { decoderHeaders } from "../../../server/broker/pages/page-headers.ts";
import type { ContestPlaces } from "./contest-page.ts";
import type { SamplePicture } from "./make-picture.ts";

const ASSETS = resolve("dist/app/assets");
const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves the app's built worker under the policy that it ships with, the decoders to compare it with, and pictures. */
export class ContestServer {
  readonly places: ContestPlaces;
  readonly #server: Server;
  #picture: SamplePicture | undefined;

  private constructor(places: ContestPlaces, aloneScript: string) {
    this.places = places;
    this.#server = createServer(({ url = "/" }, response) => {
      if (url === "/")
        return response.setHeader("content-type", "text/html").end("<!doctype html><title>Bench</title>");
      if (url === "/picture") return response.end(this.#picture && new Uint8Array(this.#picture.data.buffer));
      if (url === places.aloneUrl) return response.setHeader("content-type", "text/javascript").end(aloneScript);
      const file = join(ASSETS, url.replace(/^\/assets\/(?=[\w.-]+$)/, ""));
      if (!file.startsWith(ASSETS) || !existsSync(file)) return response.writeHead(404).end();
      for (const [name, value] of Object.entries(decoderHeaders)) response.setHeader(name, value);
      return response.setHeader("content-type", TYPES[extname(file)] ?? "").end(readFileSync(file));
    });
  }

  /** Starts one, on a port of its own. */
  static async start(): Promise<ContestServer> {
    const script = await bundled("test/bench/scanner/alone-worker.ts");
    const places = { workerUrl: asset(/^scan-worker-.*\.js$/), wasmUrl: asset(/\.wasm$/), aloneUrl: "/alone.js" };
    const contest = new ContestServer(places, script);
    await new Promise<void>((done) => contest.#server.listen(0, "127.0.0.1", done));
    return contest;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Serves that picture from now on. */
  show(picture: SamplePicture): { readonly url: string; readonly width: number; readonly height: number } {
    this.#picture = picture;
    return { url: "/picture", width: picture.width, height: picture.height };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

function asset(pattern: RegExp): string {
  const name = existsSync(ASSETS) ? readdirSync(ASSETS).find((file) => pattern.test(file)) : undefined;
  if (name === undefined) throw new Error(`${ASSETS} has no ${pattern}: run npm run build before the bench.`);
  return `/assets/${name}`;
}

async function bundled(input: string): Promise<string> {
  const bundle = await rolldown({ input, platform: "browser" });
  const { output } = await bundle.generate({ format: "es", codeSplitting: false });
  await bundle.close();
  return output[0].code;
}
