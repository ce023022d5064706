import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { LaunchError } from "./launch-error.ts";

/** Below the ports that operating systems hand out for outgoing connections, so that the kept one is seldom taken. */
const FIRST_PORT = 25_432;
const TRIED_PORTS = 200;
const TAKEN: readonly unknown[] = ["EADDRINUSE", "EACCES"];

/** True if a program could listen there on the loopback address now. */
async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(server, "listening");
    return true;
  } catch (error) {
    if (error instanceof Error && TAKEN.includes(Reflect.get(error, "code"))) return false;
    throw error;
  } finally {
    server.close();
  }
}

/**
 * Runs `start` on the configured port; else on the kept one, else on the first free one, which is then kept. Another
 * program may take a port between our look and the start: then the next one is tried.
 */
export async function onFreePort<T>(
  configured: number | undefined,
  keptIn: string,
  start: (port: number) => Promise<T>,
): Promise<{ readonly port: number; readonly started: T }> {
  if (configured !== undefined) {
    if (await isPortFree(configured)) return { port: configured, started: await start(configured) };
    throw new LaunchError(`Port ${configured} is in use: free it, or set CUPO_DATABASE_PORT to another.`);
  }
  const kept = readKept(keptIn);
  for (const port of candidates(kept)) {
    if (!(await isPortFree(port))) continue;
    try {
      const started = await start(port);
      if (port !== kept) writeFileSync(keptIn, `${port}\n`);
      return { port, started };
    } catch (error) {
      if (await isPortFree(port)) throw error;
    }
  }
  throw new LaunchError(`No free port for the database from ${FIRST_PORT} on: set CUPO_DATABASE_PORT.`);
}

function readKept(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const port = Number(readFileSync(path, "utf8"));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

function candidates(kept: number | undefined): readonly number[] {
  const range = Array.from({ length: TRIED_PORTS }, (_, index) => FIRST_PORT + index);
  return kept === undefined ? range : [kept, ...range.filter((port) => port !== kept)];
}
