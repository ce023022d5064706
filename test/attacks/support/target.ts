import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { connect, type Sql } from "../../../server/database/connect.ts";
import { aPlace, environmentOf, type Place, Product } from "../../e2e/support/product.ts";
import { type CommandRun, runCommand } from "../../support/run-command.ts";
import { AppBrowser, type EnrolmentLink } from "./app-browser.ts";
import { type Credentials, EntityCaller, EVERY_SCOPE } from "./entity-caller.ts";

/** The checkout that is attacked: this one, or the one that the variable names. */
export const ROOT = resolve(process.env.CUPO_ATTACKED_TREE ?? join(import.meta.dirname, "../../.."));

type Environment = Readonly<Record<string, string>>;

/** Browsers are remote: a proxy on this machine states their addresses, as the one of a real installation does. */
const BEHIND_A_PROXY: Environment = { CUPO_TRUSTED_PROXIES: "127.0.0.1, ::1" };

/**
 * A started Cupo of the attacked checkout, with an embedded PostgreSQL and the demo, and what strangers reach it by:
 *
 *     const target = await Target.start();            // beforeAll; target.remove() in afterAll
 *     const other = await target.entity("Other");     // another fintech: other.post("/create-user", …), other.aUser()
 *     const ana = await target.demoPerson("payer");   // a browser that is signed in
 *     const olga = await target.operator("clerk");    // an operator with a passkey
 *     const phone = await target.invite(userId);      // a person's device with a passkey: phone.pay({ payload })
 *     const thief = target.browser();                 // a browser elsewhere that is nobody's yet
 *     await target.command("client", "list");         // a command of the attacked checkout
 *     await target.sql`select …`;                     // to look, or to make time pass
 */
export class Target {
  readonly product: Product;
  readonly sql: Sql;
  #browsers = 0;

  private constructor(product: Product) {
    this.product = product;
    this.sql = connect(product.demo.database_url, { max: 4, applicationName: "attack" });
  }

  /** Starts it, at a place of its own unless one is given. */
  static async start({ environment = {}, place }: { environment?: Environment; place?: Place } = {}): Promise<Target> {
    const started = { environment: { ...BEHIND_A_PROXY, ...environment }, root: ROOT };
    return new Target(await Product.start(place ?? (await aPlace()), started));
  }

  /** A module of the attacked checkout, for what is attacked without a process; `earlier` is its path before a move. */
  static load<T>(path: string, earlier = path): Promise<T> {
    const found = existsSync(join(ROOT, path)) ? path : earlier;
    return import(pathToFileURL(join(ROOT, found)).href) as Promise<T>;
  }

  /** Stops it and leaves nothing of it. */
  async remove(): Promise<void> {
    await this.sql.end();
    await this.product.remove();
  }

  /** The origin of the app and of the broker's API. */
  get origin(): string {
    return this.product.origin;
  }

  /** The demo's own entity, which is the broker's. */
  own(scope?: string): Promise<EntityCaller> {
    const { demo } = this.product;
    const administrator = async () => {
      const { client_id } = demo;
      const [own] = await this.sql<{ id: string }[]>`
        select entity_id::text as id from service.api_clients where id = ${client_id}`;
      return this.#client(own?.id ?? "");
    };
    return EntityCaller.of(demo.auth_url, demo, scope, administrator);
  }

  /** The first client of an entity of that name, made unless it is there; a second call makes a second client. */
  async entity(name: string): Promise<EntityCaller> {
    return EntityCaller.of(this.product.demo.auth_url, await this.#client(name));
  }

  /** A new API client that may have every scope, where this version knows scopes. */
  async #client(entity: string): Promise<Credentials> {
    const create = ["client", "create", "--entity", entity] as const;
    const { code, out } = await this.command(...create, "--scope", EVERY_SCOPE, "--json");
    return code === 0 ? (JSON.parse(out) as Credentials) : this.commandJson<Credentials>(...create);
  }

  /** A person of the demo, signed in by the demo's button. */
  async demoPerson(name: "payer" | "merchant"): Promise<AppBrowser> {
    const browser = new AppBrowser(this.origin);
    const { pathname, search } = new URL(this.product.demo.users[name].sign_in_url);
    const { status } = await browser.get(`${pathname}${search}`);
    if (browser.cookie === "") throw new Error(`the demo signs nobody in: ${status}`);
    return browser;
  }

  /** A browser at an address of its own (RFC 2544's), so that what is limited by address limits nobody else. */
  browser(): AppBrowser {
    this.#browsers += 1;
    return new AppBrowser(this.origin, `198.18.${this.#browsers >> 8}.${this.#browsers & 255}`);
  }

  /** Makes an operator by the command, and signs in with a passkey. */
  async operator(role: "viewer" | "clerk" | "admin", name = `Operator ${role}`): Promise<AppBrowser> {
    return this.#enrolled(await this.commandJson("operator", "create", "--name", name, "--role", role));
  }

  /** Invites a user of the broker's entity by the command, and signs in with a passkey. */
  async invite(userId: string): Promise<AppBrowser> {
    return this.#enrolled(await this.commandJson("operator", "invite", "--user-id", userId));
  }

  async #enrolled(link: EnrolmentLink): Promise<AppBrowser> {
    const browser = this.browser();
    const { status, body } = await browser.enrol(link);
    if (status >= 300) throw new Error(`not enrolled: ${status} ${JSON.stringify(body)}`);
    return browser;
  }

  /** Runs a command of the attacked checkout beside it, however it ends. */
  command(...args: readonly string[]): Promise<CommandRun> {
    return this.commandIn({}, ...args);
  }

  /** Runs a command with more in its environment. */
  commandIn(environment: Environment, ...args: readonly string[]): Promise<CommandRun> {
    return runCommand(args, { ...environmentOf(this.product.place), ...environment }, ROOT);
  }

  /** Runs a command that must work, and reads what it prints for programs. */
  async commandJson<T>(...args: readonly string[]): Promise<T> {
    const { code, out, err } = await this.command(...args, "--json");
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }
}
