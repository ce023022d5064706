import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The repository, of which the package is made. */
export const ROOT = join(import.meta.dirname, "../..");

const BINARIES = join(ROOT, "node_modules/.bin");
const INSTALL_TIMEOUT_MS = 60_000;
/** The length at which a tool's error output is cut. */
const SAID_LENGTH = 2_000;
/** Packages whose types a consumer has: those that are installed here. */
const TYPES = ["node", "react"];

/** A project that has the package as anybody would have it: packed, and installed from the tarball. */
export interface Consumer {
  readonly folder: string;
  /** Where the installed package is. */
  readonly packageFolder: string;
  /** The files of the package, relative to it. */
  readonly files: readonly string[];
  /** The text of one of them. */
  read(file: string): Promise<string>;
  /** Writes a file of the project. */
  write(file: string, text: string): Promise<void>;
  /** Runs a module in plain Node, as a file of the project; answers what it printed. */
  runModule(text: string, ...given: string[]): Promise<string>;
  /** Compiles the project; returns the compiler's errors. */
  compile(options: object): Promise<string>;
  remove(): Promise<void>;
}

async function npm(args: readonly string[], cwd: string, timeout?: number): Promise<void> {
  const env = { ...process.env, PATH: [BINARIES, process.env.PATH].join(delimiter) };
  await run("npm", [...args], { cwd, env, ...(timeout === undefined ? {} : { timeout }) });
}

/** Packs as `npm publish` would, build included. */
async function pack(folder: string): Promise<string> {
  try {
    await npm(["pack", "--silent", "--pack-destination", folder], ROOT);
  } catch (cause) {
    const { stdout = "", stderr = "" } = cause as { stdout?: string; stderr?: string };
    throw new Error(`The package could not be made: ${`${stdout}${stderr}`.slice(0, SAID_LENGTH)}`, { cause });
  }
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack made no tarball");
  return join(folder, tarball);
}

async function install(tarball: string, folder: string): Promise<void> {
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0"];
  try {
    await npm(["install", "--prefix", folder, ...flags, tarball], folder, INSTALL_TIMEOUT_MS);
  } catch (cause) {
    const said = String((cause as { stderr?: string }).stderr ?? cause).slice(0, SAID_LENGTH);
    throw new Error(
      `The packed tarball could not be installed. It needs lit, ky, valibot and standardwebhooks from npm's cache ` +
        `or a registry: is there a network? npm said: ${said}`,
      { cause },
    );
  }
}

async function compile(folder: string, options: object): Promise<string> {
  const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true };
  const compilerOptions = { ...strict, target: "es2024", ...options };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["typed/*"] }));
  try {
    return (await run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder])).stdout;
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** Packs the package and installs it in a new project; call `remove` when done. */
export async function aConsumer(): Promise<Consumer> {
  const parent = await mkdtemp(join(tmpdir(), "cupo-package-"));
  const remove = () => rm(parent, { recursive: true, force: true });
  try {
    return { ...(await prepare(parent)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function prepare(parent: string): Promise<Omit<Consumer, "remove">> {
  const folder = join(parent, "consumer");
  const packageFolder = join(folder, "node_modules/cupo");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  await install(await pack(parent), folder);
  await mkdir(join(folder, "node_modules/@types"), { recursive: true });
  for (const name of TYPES) {
    await symlink(join(ROOT, "node_modules/@types", name), join(folder, "node_modules/@types", name));
  }
  const entries = await readdir(packageFolder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packageFolder.length + 1));
  return {
    ...{ folder, packageFolder, files },
    read: (file) => readFile(join(packageFolder, file), "utf8"),
    async write(file, text) {
      const path = join(folder, file);
      await mkdir(join(path, ".."), { recursive: true });
      await writeFile(path, text);
    },
    async runModule(text, ...given) {
      await writeFile(join(folder, "program.js"), text);
      return (await run(process.execPath, ["program.js", ...given], { cwd: folder, timeout: 30_000 })).stdout;
    },
    compile: (options) => compile(folder, options),
  };
}
