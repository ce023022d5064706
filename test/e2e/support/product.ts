import { randomBytes, randomInt } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endOrphan } from "../../../server/database/embedded/run-postmaster.ts";
import { copyCluster } from "../../support/cluster-template.ts";
import { type ChildOptions, type Ending, MainProcess } from "./child-process.ts";

/** A person of the demo. */
interface DemoPerson {
  readonly id: string;
  readonly name: string;
  readonly sign_in_url: string;
}

/** The content of `demo.json`. */
export interface Demo {
  readonly app: string;
  readonly base_url: string;
  readonly auth_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly users: { readonly payer: DemoPerson; readonly merchant: DemoPerson };
  readonly operator: { readonly sign_in_url: string };
  readonly merchant_keys: { readonly publishable_key: string; readonly server_key: string };
  readonly database_url: string;
}

/** Below the ephemeral ports of operating systems, and above the ports of well-known services. */
const PORTS = { from: 20_000, to: 32_000 } as const;

/** Ports that were given: none is given twice. */
const given = new Set<number>();

/**
 * Returns a port that was free a moment ago, and that nobody gets by chance before it is used: a random one of many, so
 * that test files that run side by side choose different ones.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer();
    const isFree = await new Promise<boolean>((settle, fail) => {
      server.once("error", (error) => (Reflect.get(error, "code") === "EADDRINUSE" ? settle(false) : fail(error)));
      server.listen(port, "127.0.0.1", () => settle(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}

/** A data folder of one test: where the product keeps its database and demo.json. */
class DataFolder {
  readonly path = join(tmpdir(), `cupo-e2e-${randomBytes(8).toString("hex")}`);

  /** The demo's keys and people. */
  get demo(): Demo {
    return JSON.parse(readFileSync(join(this.path, "demo.json"), "utf8")) as Demo;
  }

  /** The process id that PostgreSQL has written down; undefined when none runs here. */
  get postgresPid(): number | undefined {
    const file = join(this.path, "postgres/postmaster.pid");
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n", 1)[0]) : undefined;
  }

  /** Ends what a killed product left running, and removes the files. */
  async remove(): Promise<void> {
    await endOrphan(join(this.path, "postgres"));
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Ports and folder of one product, kept over its restarts. */
export interface Place {
  readonly folder: DataFolder;
  readonly port: number;
  readonly servicePort: number;
  /** Its business time zone, unless that is the usual one. */
  readonly timeZone?: string;
}

/** A place where nothing runs yet. */
export async function aPlace(): Promise<Place> {
  return { folder: new DataFolder(), port: await freePort(), servicePort: await freePort() };
}

/** The environment variables of a process at this place. */
export function environmentOf({ folder, port, servicePort, timeZone }: Place): Record<string, string> {
  return {
    ...{ CUPO_DATA_DIR: folder.path, CUPO_PORT: String(port), CUPO_SERVICE_PORT: String(servicePort) },
    ...(timeZone === undefined ? {} : { CUPO_TIME_ZONE: timeZone }),
  };
}

/** How a product starts. */
interface StartOptions extends ChildOptions {
  /** True if it makes its PostgreSQL cluster itself, as a customer's first start does; tests usually copy one. */
  readonly fromNothing?: boolean;
}

/** The product as `npm start` runs it, built front end included. */
export class Product {
  readonly place: Place;
  readonly main: MainProcess;
  /** The checkout that it runs from, unless it is this one. */
  readonly root: string | undefined;
  /** Milliseconds from the start of the process until it printed that it is ready. */
  readonly readyMs: number;
  #linesTaken = 0;

  private constructor(place: Place, main: MainProcess, { readyMs, root }: Pick<Product, "readyMs" | "root">) {
    this.place = place;
    this.main = main;
    this.readyMs = readyMs;
    this.root = root;
  }

  /** Starts one at a place (a new one unless given) and waits until it is ready. */
  static async start(place?: Place, { environment = {}, ...options }: StartOptions = {}): Promise<Product> {
    const at = place ?? (await aPlace());
    const makesCluster = options.fromNothing ?? options.uid !== undefined;
    if (!makesCluster && environment.DATABASE_URL === undefined) await copyCluster(at.folder.path);
    const main = new MainProcess({ ...options, environment: { ...environmentOf(at), ...environment } });
    try {
      return new Product(at, main, { readyMs: await main.ready(), root: options.root });
    } catch (error) {
      main.signal("SIGKILL");
      await main.ended();
      if (place === undefined) await at.folder.remove();
      throw error;
    }
  }

  get demo(): Demo {
    return this.place.folder.demo;
  }

  /** Origin of the app and of the demo's shop. */
  get origin(): string {
    return `http://localhost:${this.place.port}`;
  }

  /** Returns the errors that it has logged since the last call: none, as long as nothing is broken. */
  takeLogged(): readonly string[] {
    const lines = this.main.err.split("\n");
    const fresh = lines.slice(this.#linesTaken);
    // The last line may be incomplete.
    this.#linesTaken = lines.length - 1;
    return fresh.filter((line) => /"level":(?:50|60)/.test(line) || /^\s*\w*Error\b/.test(line));
  }

  /** Stops it as Ctrl-C does, and waits for its end. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<Ending> {
    this.main.signal(signal);
    return this.main.ended();
  }

  /** Stops it, and removes its data folder. */
  async remove(): Promise<void> {
    await this.stop();
    await this.place.folder.remove();
  }
}
