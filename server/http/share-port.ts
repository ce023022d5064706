import { createServer, type ListenOptions as NetOptions, type Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { listenError } from "./listen.ts";

/** The address whose port several threads share. */
export interface SharedAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

const TRY_EVERY_MS = 50;
const TRIES = 200;

function open(options: NetOptions): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Listens on a port for a moment; returns the port. Rejects with `ListenError` where it cannot be listened on. */
export async function tryPort(address: SharedAddress): Promise<number> {
  const alone = await open({ host: address.host, port: address.port }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, address);
  });
  const taken = alone.address();
  await close(alone);
  return typeof taken === "object" && taken !== null ? taken.port : address.port;
}

/** Waits until no other process is between finding the port free and listening on it. */
async function holdTurn(port: number): Promise<Server> {
  // A name of Linux without a file, which ends with the process.
  const path = `\0cupo port ${port}`;
  for (let tries = 1; ; tries++) {
    try {
      return await open({ path });
    } catch (error) {
      if (tries === TRIES) throw error;
      await delay(TRY_EVERY_MS);
    }
  }
}

/**
 * Lets threads listen on one port, which nobody else listens on; rejects with `ListenError` where it is taken.
 * Sockets that share a port would admit those of any process: the port is tried alone first, and no two processes try
 * at a time.
 */
export async function sharePort(address: SharedAddress, listenAll: (port: number) => Promise<void>): Promise<number> {
  const turn = await holdTurn(address.port);
  try {
    const port = await tryPort(address);
    await listenAll(port);
    return port;
  } finally {
    await close(turn);
  }
}
