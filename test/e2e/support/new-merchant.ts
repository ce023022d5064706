import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { aConsumer, type Consumer } from "../../package/install-package.ts";
import { guideBlock, guideBlocks, guidePage } from "../../readme/guide-blocks.ts";
import { npmRun } from "../../support/run-command.ts";
import { environmentOf, freePort, type Product } from "./product.ts";

const PAGE = "accept-payments.md";
const GUIDE_SHOP = "http://localhost:3000";
const GUIDE_WEBHOOK = "http://127.0.0.1:3001/";

/** A running file of the guide, and its output so far. */
interface Running {
  readonly child: ChildProcess;
  out: string;
  err: string;
}

/** The variable that the guide's first step exports, such as CUPO_WEBHOOK_PRIVATE. */
export function guideEnvironment(): Record<string, string> {
  const [, name = "", value = ""] = /^export (\w+)=(\S+)/m.exec(guidePage(PAGE)) ?? [];
  return { [name]: value };
}

/** The arguments of the guide's command that makes a merchant, after `npm run merchant --`. */
function createWords(): readonly string[] {
  const [, line = ""] = /^npm run merchant -- (create (?:.*\\\n)*.*)$/m.exec(guidePage(PAGE)) ?? [];
  return (line.replaceAll("\\\n", " ").match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
}

async function merchantCommand({ place }: Product, words: readonly string[]): Promise<string> {
  const { code, out, err } = await npmRun("merchant", words, { ...environmentOf(place), ...guideEnvironment() });
  if (code !== 0) throw new Error(`npm run merchant -- ${words.join(" ")} failed: ${out}${err}`);
  return out;
}

/** Returns the part of a command's output that a reader copies; throws if it is not there. */
function copied(said: string, pattern: RegExp): string {
  const [, text] = pattern.exec(said) ?? [];
  if (text === undefined) throw new Error(`the command did not say ${pattern}: ${said}`);
  return text;
}

/** A merchant who has the guide and nothing else, and follows it in a folder and on ports of their own. */
export class NewMerchant {
  readonly shop: string;
  readonly id: string;
  readonly publishableKey: string;
  readonly #product: Product;
  readonly #consumer: Consumer;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #running: Running[] = [];

  private constructor(
    product: Product,
    consumer: Consumer,
    { shop, webhookPort, said }: { readonly shop: string; readonly webhookPort: number; readonly said: string },
  ) {
    [this.#product, this.#consumer, this.shop] = [product, consumer, shop];
    this.id = copied(said, /^Merchant: .* \((\S+)\)$/m);
    this.publishableKey = copied(said, /^publishable_key +(\S+)$/m);
    this.#environment = {
      ...{ PATH: process.env.PATH ?? "", BROKER: product.origin, SHOP: shop, MERCHANT_ID: this.id },
      SERVER_KEY: copied(said, /^server_key +(\S+)$/m),
      WEBHOOK_SECRET: copied(said, /^webhook_secret +(\S+)$/m),
      WEBHOOK_PORT: String(webhookPort),
    };
  }

  /** Installs the package, makes the merchant, and writes the guide's files. */
  static async begin(starting: Promise<Product>): Promise<NewMerchant> {
    const [product, consumer] = await Promise.all([starting, aConsumer()]);
    const [shopPort, webhookPort] = [await freePort(), await freePort()];
    const shop = `http://localhost:${shopPort}`;
    const words = createWords().map((word) =>
      word.replace(GUIDE_SHOP, shop).replace(GUIDE_WEBHOOK, `http://127.0.0.1:${webhookPort}/`),
    );
    const said = await merchantCommand(product, words);
    for (const [name, text] of guideBlocks()) await writeFile(join(consumer.folder, name), text);
    return new NewMerchant(product, consumer, { shop, webhookPort, said });
  }

  /** Starts a file of the guide, and waits for its first output; returns its output, which grows. */
  async run(file: string, variables: Readonly<Record<string, string>> = {}): Promise<Running> {
    const env = { ...this.#environment, ...variables };
    const { folder } = this.#consumer;
    const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const running: Running = { child, out: "", err: "" };
    this.#running.push(running);
    child.stdout.on("data", (data) => {
      running.out += data;
    });
    child.stderr.on("data", (data) => {
      running.err += data;
    });
    await Promise.race([once(child.stdout, "data"), once(child, "close")]);
    if (child.exitCode !== null) throw new Error(`${file} ended: ${running.err}`);
    return running;
  }

  /** Runs a few lines in Node beside the guide's files; returns the value that they put into `result`. */
  async use(lines: string, given: object = {}, variables: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const text = `
      const given = JSON.parse(process.argv[2]);
      Object.assign(process.env, JSON.parse(process.argv[3]));
      let result;
      ${lines}
      console.log(JSON.stringify(result));`;
    const environment = JSON.stringify({ ...this.#environment, ...variables });
    return JSON.parse(await this.#consumer.runModule(text, JSON.stringify(given), environment));
  }

  /** Runs one of the guide's commands with curl, and reads its answer. */
  async curl(block: string, variables: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const command = guideBlock(block).replace(GUIDE_SHOP, this.shop);
    const env = { ...this.#environment, ...variables };
    return JSON.parse((await promisify(execFile)("sh", ["-c", command], { env })).stdout);
  }

  /** Becomes a merchant that may show any user's quota, as the guide says. */
  async becomeFirstParty(): Promise<void> {
    await merchantCommand(this.#product, ["change", this.id, "--first-party"]);
  }

  /** Becomes a merchant that may sell top-ups, by the guide's own command. */
  async becomeSeller(): Promise<void> {
    const [, line = ""] = /^npm run merchant -- (.*)$/m.exec(guidePage("sell-top-ups.md")) ?? [];
    await merchantCommand(this.#product, line.replace("MERCHANT_ID", this.id).split(" "));
  }

  /** Puts another page into the shop, made of the guide's lines. */
  async show(text: string, given: Readonly<Record<string, string>> = {}): Promise<void> {
    const known = { ...this.#environment, ...given };
    const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? `no ${name}`);
    const page = `<!doctype html><html lang="es"><meta charset="utf-8"><title>Otra</title>${filled}`;
    await writeFile(join(this.#consumer.folder, "page.html"), page);
  }

  /** Stops the running files, and removes the folder. */
  async end(): Promise<void> {
    for (const { child } of this.#running) {
      if (child.exitCode !== null) continue;
      const ended = once(child, "close");
      child.kill();
      await ended;
    }
    await this.#consumer.remove();
  }
}
