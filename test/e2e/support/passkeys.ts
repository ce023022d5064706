import type { CDPSession, Page } from "playwright-core";
import { runCommand } from "../../support/run-command.ts";
import type { Phone } from "./phone.ts";
import { environmentOf, type Product } from "./product.ts";

/** A device's own authenticator, which Chromium emulates: it keeps passkeys, and verifies its owner or does not. */
export class Authenticator {
  readonly #tools: CDPSession;
  readonly #id: string;

  private constructor(tools: CDPSession, id: string) {
    this.#tools = tools;
    this.#id = id;
  }

  /** Gives a page one, as a phone has with its screen lock. Another page, such as the next tab, has none yet. */
  static async on(page: Page, { userVerified = true } = {}): Promise<Authenticator> {
    const tools = await page.context().newCDPSession(page);
    await tools.send("WebAuthn.enable");
    const { authenticatorId } = await tools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: userVerified,
        automaticPresenceSimulation: true,
      },
    });
    return new Authenticator(tools, authenticatorId);
  }

  /** Verifies its user from now on, or refuses as for somebody else. */
  async verifies(isUserVerified: boolean): Promise<void> {
    await this.#tools.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }

  /** Moves its passkeys to another page's authenticator: in both at once they would count as copied. */
  async moveTo(other: Authenticator): Promise<void> {
    const { credentials } = await this.#tools.send("WebAuthn.getCredentials", { authenticatorId: this.#id });
    await this.#tools.send("WebAuthn.clearCredentials", { authenticatorId: this.#id });
    for (const credential of credentials) {
      await other.#tools.send("WebAuthn.addCredential", { authenticatorId: other.#id, credential });
    }
  }
}

/** Gives a page an authenticator; see {@link Authenticator.on}. */
export function addAuthenticator(page: Page, options?: { readonly userVerified?: boolean }): Promise<Authenticator> {
  return Authenticator.on(page, options);
}

/** An operator's invitation of a person: the link, and the code that is given apart from it. */
interface Invitation {
  readonly link: string;
  readonly code: string;
}

/** A product's data and the origin at which the app is opened, which may be that of a separate broker. */
type Inviting = Pick<Product, "place" | "origin">;

/** Invites a person by the command, which prints link and code. */
export async function invite({ place, origin }: Inviting, userId: string): Promise<Invitation> {
  const args = ["operator", "invite", "--user-id", userId, "--json"];
  const { code: ended, out, err } = await runCommand(args, environmentOf(place));
  if (ended !== 0) throw new Error(`no enrolment: ${out}${err}`);
  const { link, code } = JSON.parse(out) as Invitation;
  return { link: `${origin}/enrol${new URL(link).hash}`, code };
}

/** Sets the entity's rules by the command. */
export async function setRules({ place }: Pick<Product, "place">, ...rules: readonly string[]): Promise<void> {
  const { code, err } = await runCommand(["operator", "rules", ...rules], environmentOf(place));
  if (code !== 0) throw new Error(`the rules are as they were: ${err}`);
}

/** Opens an invitation on a phone, types the code and presses the button; does not wait for the outcome. */
export async function takeUp(phone: Phone, { link, code }: Invitation): Promise<void> {
  await phone.page.goto(link);
  await giveCode(phone, code);
}

/** Types the code of the invitation that is open, and presses the button. */
export async function giveCode({ page }: Phone, code: string): Promise<void> {
  const form = page.locator("cupo-enrol-page form");
  await form.locator("input[name=code]").fill(code);
  await form.locator("button.primary").click();
}

/** Has a person of the demo invited and enrolled on a phone, up to Home; its authenticator keeps the passkey. */
export async function enrol(
  product: Inviting & Pick<Product, "demo">,
  phone: Phone,
  person: "payer" | "merchant",
): Promise<Authenticator> {
  const authenticator = await addAuthenticator(phone.page);
  await takeUp(phone, await invite(product, product.demo.users[person].id));
  await phone.page.locator("cupo-enrol-done .actions .plain").click();
  await phone.page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  return authenticator;
}
