import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type MadePart, RUN_PARTS, type RunPart } from "./run-parts.ts";

/** Each is imported when it is made: a run that needs none does not load them either. */
const MAKERS: Readonly<Record<RunPart, () => Promise<MadePart>>> = Object.freeze({
  database: async () => (await import("./shared-database.ts")).startSharedDatabase(),
  cluster: async () => (await import("./cluster-template.ts")).makeClusterTemplate(),
});

const made = new Map<RunPart, Promise<MadePart>>();
let server: Server | undefined;

function isPart(name: string): name is RunPart {
  return Object.hasOwn(MAKERS, name);
}

/** Makes a part for the first who asks; all others wait for the same one. */
function partOf(name: RunPart): Promise<MadePart> {
  const part = made.get(name) ?? MAKERS[name]();
  made.set(name, part);
  return part;
}

/**
 * Lets the tests of a run share what takes seconds to make, without making anything that none of them uses: this
 * process outlives all workers, makes each part once, at the first request, and removes it at the end.
 */
export async function setup(): Promise<void> {
  // The global setup of another project of the same run has done it.
  if (process.env[RUN_PARTS] !== undefined) return;
  // An address of PostgreSQL holds its password: other users of this machine cannot guess the path.
  const root = `/${randomBytes(16).toString("hex")}`;
  server = createServer(async ({ url = "" }, response) => {
    const name = url.replace(`${root}/`, "");
    try {
      if (!isPart(name)) throw new Error("there is no such part");
      response.end((await partOf(name)).place);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.env[RUN_PARTS] = `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`;
}

/** Ends and removes all that was made. */
export async function teardown(): Promise<void> {
  server?.close();
  // A part that could not be made has failed the tests that asked for it.
  const parts = await Promise.allSettled(made.values());
  for (const part of parts) if (part.status === "fulfilled") await part.value.end();
}
