import { createSoftwarePasskey, type SoftwarePasskey } from "../../support/software-passkey.ts";
import { HttpCaller, type RawAnswer } from "./http-caller.ts";

/** The result of an enrolment command or operation: the link's secret follows the `#`. */
export interface EnrolmentLink {
  readonly link: string;
  readonly code: string;
}

/** A browser on the broker's own origin: a cookie and, once enrolled, a passkey; no page's script runs in it. */
export class AppBrowser extends HttpCaller {
  readonly origin: string;
  #cookie = "";
  passkey: SoftwarePasskey | undefined;

  /** With an address, the browser calls through a proxy from there; without one, it is on this machine. */
  constructor(origin: string, address?: string) {
    super(origin, () => ({
      cookie: this.#cookie,
      origin,
      ...(address === undefined ? {} : { "x-forwarded-for": address }),
      "x-cupo-request": "1",
      "sec-fetch-site": "same-origin",
    }));
    this.origin = origin;
  }

  override async send(...call: Parameters<HttpCaller["send"]>): Promise<RawAnswer> {
    const answer = await super.send(...call);
    const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0];
    if (cookie !== undefined) this.#cookie = cookie;
    return answer;
  }

  /** The current cookie, for a thief to steal. */
  get cookie(): string {
    return this.#cookie;
  }

  /** Sets another browser's cookie. */
  useCookie(cookie: string): this {
    this.#cookie = cookie;
    return this;
  }

  /** Enrols a device by a link and its code, which signs it in unless an answer says otherwise. */
  async enrol({ link, code }: EnrolmentLink, device = "Phone"): Promise<RawAnswer> {
    const secret = link.slice(link.indexOf("#") + 1);
    const started = await this.post("/v1/enrolments/start", { secret, code });
    if (started.status >= 300) return started;
    const passkey = createSoftwarePasskey({ rpId: "localhost", origin: this.origin });
    const credential = passkey.register(started.body.options);
    const finished = await this.post("/v1/enrolments/finish", { secret, code, credential, device });
    if (finished.status < 300) this.passkey = passkey;
    return finished;
  }

  /** The proof by this browser's passkey that the person is there and means this. */
  async proof(purpose: string): Promise<{ readonly proof_id: string; readonly credential: unknown }> {
    const { body } = await this.post("/v1/me/proofs", { purpose });
    return { proof_id: body.proof_id, credential: this.passkey?.assert(body.options) };
  }

  /** Opens an approval of what is asked for and confirms it with this browser's passkey; the last answer. */
  async pay(asked: Readonly<Record<string, unknown>>): Promise<RawAnswer> {
    const opened = await this.post("/v1/approvals", asked);
    if (opened.status >= 300) return opened;
    return this.confirm(opened.body);
  }

  /** Confirms an opened approval as the app does. */
  confirm({ id, payee, amount, reference, options }: RawAnswer["body"]): Promise<RawAnswer> {
    const assertion = this.passkey === undefined ? { demo: true } : { credential: this.passkey.assert(options) };
    const shown = { payee, amount, ...(reference === undefined ? {} : { reference }) };
    return this.post(`/v1/approvals/${id}/confirm`, { ...shown, ...assertion });
  }
}
