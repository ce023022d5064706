/** An answer as it came: JSON where it is some, else its text. */
export interface RawAnswer {
  readonly status: number;
  /** Untyped as parsed JSON is: an attack reads whatever another version may answer. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Headers;
}

type Query = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, string>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Calls one server with the same headers each time, without the product's clients; follows no redirect. */
export class HttpCaller {
  readonly #base: string;
  readonly #headers: () => Fields;

  constructor(base: string, headers: () => Fields) {
    this.#base = base;
    this.#headers = headers;
  }

  /** Any method, any body: an object is sent as JSON, a text as it stands. */
  async send(method: string, path: string, body?: unknown, headers: Fields = {}): Promise<RawAnswer> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      redirect: "manual",
      headers: { "content-type": "application/json", accept: "application/json", ...this.#headers(), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: parsed(await response.text()), headers: response.headers };
  }

  get(path: string, query: Query = {}, headers?: Fields): Promise<RawAnswer> {
    const search = new URLSearchParams(query).toString();
    return this.send("GET", search === "" ? path : `${path}?${search}`, undefined, headers);
  }

  post(path: string, body: unknown = {}, headers?: Fields): Promise<RawAnswer> {
    return this.send("POST", path, body, headers);
  }

  put(path: string, body: unknown = {}, headers?: Fields): Promise<RawAnswer> {
    return this.send("PUT", path, body, headers);
  }
}
