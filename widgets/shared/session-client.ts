/** Answer of the merchant's backend: the widget session that it created at the broker. */
export interface StartedSession {
  /** The `ws_` token: does what its session is for and nothing else; it stays in memory. */
  readonly session: string;
  /** Origin of the broker that made it, where it is not the one that serves the script. */
  readonly broker?: string | undefined;
}

/** Function of the page that gets a session from the merchant's backend, in place of `session-url`. */
export type SessionSource = () => Promise<StartedSession>;

/** The broker's answer about a session, or that nothing has changed since the answer with that `ETag`. */
export type SessionAnswer<Session> =
  | { readonly changed: true; readonly session: Session; readonly etag: string | undefined; retryAfterMs: number }
  | { readonly changed: false; readonly retryAfterMs: number };

/** Broker and credential of a session. */
export interface Caller {
  readonly broker: string;
  readonly token: string;
}

/** Broker, credential, known `ETag` and abort signal of one request to the broker. */
export interface SessionRequest extends Caller {
  /** `ETag` of the known answer; absent to get the whole answer again, the time left included. */
  readonly etag?: string | undefined;
  readonly signal: AbortSignal | null;
}

/** A failure, with only the facts that its handling needs: the code is the problem document's own if there was one. */
export class SessionError extends Error {
  declare readonly code: string;
  /** Asking again later may succeed: no answer, or an answer that says "not now". */
  declare readonly transient: boolean;
  declare readonly retryAfterMs: number;
  /** No session was available: whatever the code, it says nothing about the request to the broker. */
  declare isUnasked: boolean;

  constructor(code: string, facts: { transient?: boolean; retryAfterMs?: number; cause?: unknown } = {}) {
    super(code, facts);
    Object.assign(this, { transient: false, retryAfterMs: 0, isUnasked: false, ...facts, code });
  }
}

/** A request on a phone that just left a tunnel hangs rather than fails. */
const TIMEOUT_MS = 10_000;

/** The longest wait that a server may ask for: beyond it, the page would appear frozen. */
const LONGEST_RETRY_AFTER_MS = 60_000;

const SESSION_PATH = "/v1/session";

/**
 * Creates a session through the merchant's own endpoint, with that site's cookies, and returns the session's broker and
 * token; throws {@link SessionError}. `broker` is taken where the endpoint's answer names none.
 */
export async function requestSession(url: string, broker: string): Promise<Caller> {
  const { answer } = await send(url, { method: "POST", credentials: "same-origin" });
  return startedSession(answer, broker);
}

/**
 * Creates a payment session at the broker for the page's own amount, by publishable key, and returns its broker and
 * token; throws {@link SessionError}.
 */
export async function requestOpenSession(
  caller: Caller,
  open: { readonly amount: number; readonly origin: string },
): Promise<Caller> {
  const body = { kind: "pay", ...open };
  return startedSession(await askBroker({ ...caller, signal: null, path: `${SESSION_PATH}s`, body }), caller.broker);
}

/**
 * Checks that an answer of the merchant's backend, the page's own function or the broker is a {@link StartedSession},
 * and returns its broker (`ownBroker` if it names none) and token; throws {@link SessionError}.
 */
export function startedSession(answer: unknown, ownBroker: string): Caller {
  const { session: token, broker } = fieldsOf(answer);
  if (!token || typeof token !== "string") throw notUnderstood();
  return { token, broker: typeof broker === "string" ? broker : ownBroker };
}

/**
 * Reads the session's current content from the broker; `isSession` checks the fields that the element shows by hand,
 * because a validator would take a tenth of the whole script. Throws {@link SessionError}.
 */
export async function readSession<Session>(
  question: SessionRequest,
  isSession: (answer: unknown) => answer is Session,
): Promise<SessionAnswer<Session>> {
  const { etag } = question;
  const headers = { ...(etag && { "if-none-match": etag }) };
  const { response, answer } = await send(new URL(SESSION_PATH, question.broker), requestOf(question, headers));
  const retryAfterMs = retryAfterOf(response);
  if (response.status === 304) return { changed: false, retryAfterMs };
  if (!isSession(answer)) throw notUnderstood();
  return { changed: true, session: answer, etag: response.headers.get("etag") ?? undefined, retryAfterMs };
}

/** One request to an operation of the broker: a read (GET) if it has no body, else a POST. */
export interface BrokerRequest extends SessionRequest {
  readonly path: string;
  readonly body?: object | undefined;
  /** `Idempotency-Key`: the same for every retry of one attempt. */
  readonly key?: string | undefined;
}

/** Sends an operation and returns the broker's answer, not yet validated; throws {@link SessionError}. */
export async function askBroker({ path, body, key, ...question }: BrokerRequest): Promise<unknown> {
  const post = body && { method: "POST", body: JSON.stringify(body) };
  const headers = {
    ...(post && { "content-type": "application/json" }),
    ...(key && { "idempotency-key": key }),
  };
  const { answer } = await send(new URL(path, question.broker), { ...requestOf(question, headers), ...post });
  return answer;
}

/** Opens the broker's stream of hints about a payment; has no time limit, because a stream is meant to stay. */
export function openSessionHints(question: SessionRequest): Promise<Response> {
  return fetch(new URL(`${SESSION_PATH}/stream`, question.broker), requestOf(question));
}

/** The browser's own cache would answer in place of the server, and hide its 304. */
function requestOf({ token, signal }: SessionRequest, headers?: Readonly<Record<string, string>>): RequestInit {
  return { credentials: "omit", cache: "no-store", headers: { authorization: `Bearer ${token}`, ...headers }, signal };
}

/**
 * Sends one request and reads its answer; any failure of either is a {@link SessionError}. Safari before 17.4 has no
 * `AbortSignal.any`: a request that is aborted there goes on to its end or its time limit, and callers drop its answer.
 */
async function send(
  url: string | URL,
  { signal, headers, ...request }: RequestInit,
): Promise<{ readonly response: Response; readonly answer: unknown }> {
  const timeLimit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      ...request,
      headers: { accept: "application/json", ...headers },
      signal: AbortSignal.any?.([signal ?? timeLimit, timeLimit]) ?? timeLimit,
    });
    if (!response.ok && response.status !== 304) throw await refusal(response);
    return { response, answer: response.ok && (await response.json()) };
  } catch (error) {
    if (error instanceof SessionError) throw error;
    if (error instanceof SyntaxError) throw notUnderstood(error);
    throw new SessionError("no_answer", { transient: true, cause: error });
  }
}

/** An RFC 9457 problem names its code; a proxy or another backend in between has a status only. */
async function refusal(response: Response): Promise<SessionError> {
  const { status } = response;
  const { code } = fieldsOf(await response.json().catch(() => undefined));
  const transient = status >= 500 || [408, 425, 429].includes(status);
  const fallback = status === 401 ? "unauthorized" : transient ? "unavailable" : "not_understood";
  return new SessionError(typeof code === "string" ? code : fallback, {
    // An operation that the server does not have will not appear on a retry.
    transient: transient && status !== 501,
    retryAfterMs: retryAfterOf(response),
  });
}

/** Creates the error for an answer that does not fit the request. */
export function notUnderstood(cause?: unknown): SessionError {
  return new SessionError("not_understood", { cause });
}

/** `Retry-After` in seconds (RFC 9110 §10.2.3); its date form would need the local time to be right. */
function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"));
  return seconds > 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : 0;
}

/** Returns the fields of an answer, or none where it is no object; nothing is known of them yet. */
export function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return Object(answer);
}
