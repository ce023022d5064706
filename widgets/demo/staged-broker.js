// Part of the showcase, not of the elements: a broker stub inside the page. It replaces window.fetch for the sessions
// of this page's elements, and brings each into the state that the table of states describes, because no real broker
// can be made to be late, to lose answers or to refuse at will. Other requests go to the network.

const SHOP_PATH = "/demo/staged/";
const TOKEN = /^Bearer ws_staged_/;
const MINUTE_MS = 60_000;

const PAYLOAD =
  "00020101021226400005co.qp0122AZMfK3mQdGeLu8zwMCmYBA0206svq1lc0302k152040000530317054052500058" +
  "02CO5919Cafe La Candelaria6006Bogota62240513K7M39QXT2V4FW0703POS80990005co.qp0186" +
  `${"Zk3xw9".repeat(14)}Qw6304A13B`;

const ago = (minutes) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

const movement = (minutes, direction, counterparty, amount, others) => ({
  id: counterparty,
  kind: "qr",
  status: "approved",
  direction,
  counterparty,
  amount,
  created_at: ago(minutes),
  ...others,
});

const sale = (minutes, amount, fields) => ({
  id: `sale-${minutes}`,
  state: "approved",
  reference: "K7M39QXT2V4FW",
  name: "Andrea R.",
  amount,
  currency: "COP",
  till: "Caja 1",
  created_at: ago(minutes),
  ...fields,
});

/** Default session of each element. */
const usual = {
  "pay-qr": () => ({
    kind: "pay",
    state: "unpaid",
    payee: "Café La Candelaria",
    amount: 25_000,
    currency: "COP",
    reference: "K7M39QXT2V4FW",
    check_code: "7K3M",
    payload: PAYLOAD,
    app_link: `${location.origin}/p#${encodeURIComponent(PAYLOAD)}`,
    rejected_attempts: 0,
    expires_in: 872,
  }),
  "recharge-form": () => ({
    kind: "recharge",
    seller: "Café La Candelaria",
    till: "Caja 1",
    currency: "COP",
    max_amount: 50_000,
    left_to_sell: 400_000,
    sold_today: { count: 3, amount: 80_000 },
    expires_in: 872,
  }),
  "user-quota": () => ({
    kind: "quota",
    name: "Ana María Rojas",
    quota: 275_000,
    quota_available: 275_000,
    score: 720,
    status: "active",
    currency: "COP",
    movements: [
      movement(4, "sent", "Café La Candelaria", 25_000, { status: "pending" }),
      movement(2_900, "received", "Droguería Sol", 12_500.5, { kind: "refund" }),
      movement(4_400, "sent", "Ferretería El Tornillo", 48_000, { kind: "payment", status: "rejected" }),
      movement(6_100, "received", "Recargas Lucía", 100_000, { kind: "recharge" }),
      movement(9_000, "sent", "Panadería Trigo", 7_200, { status: "reversed" }),
    ],
    as_of: ago(0),
    expires_in: 872,
  }),
};

/** Maps a request to its name in a scene. */
function questionOf({ method, url }) {
  const { pathname } = new URL(url);
  if (pathname.startsWith(SHOP_PATH)) return "session";
  if (pathname === "/v1/session") return "looks";
  if (pathname === "/v1/session/stream") return "stream";
  if (pathname === "/v1/look-ups") return "lookUps";
  return method === "POST" ? "sales" : "list";
}

/** One element's session, played from its scene. */
class Play {
  #scene;
  #element;
  #token;
  #openedAt = performance.now();
  #counts = {};
  #hinted = false;

  constructor(element, state, scene) {
    this.#scene = scene;
    this.#element = element;
    this.#token = `ws_staged_${element}/${state}`;
  }

  async answer(request) {
    const question = questionOf(request);
    if (question === "stream") return this.#stream();
    const number = (this.#counts[question] ?? 0) + 1;
    this.#counts[question] = number;
    const answers = this.#scene[question] ?? [{}];
    const index = Math.min(number, answers.length) - 1;
    const given = answers[index];
    // An answer that never comes outlasts the element's timeout too, so that the state stays visible.
    if (given.kind === "never") return new Promise(() => undefined);
    if (given.kind === "lost") throw new TypeError("Failed to fetch");
    if (given.kind === "refused") return problem(given);
    if (question === "looks") return this.#look(given, `"${index}"`, request);
    return json(await this.#done(question, given, request), question === "list" ? 200 : 201);
  }

  #look(fields, etag, request) {
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: { etag } });
    const session = { ...usual[this.#element](), ...fields };
    const goneMs = performance.now() - this.#openedAt;
    const left = Math.max(0, session.expires_in - goneMs / 1000);
    const expires_at = new Date(Date.now() + left * 1000).toISOString();
    return json({ ...session, expires_in: Math.ceil(left), expires_at }, 200, { etag });
  }

  async #done(question, fields, request) {
    if (question === "session") return { session: this.#token };
    if (question === "lookUps") return { handle: "staged", name: "Andrea R.", expires_in: 300 };
    if (question === "sales") return sale(0, (await request.json()).amount, fields);
    return [sale(12, 20_000), sale(47, 50_000, { name: "Luis P." }), sale(95, 10_000, { name: "José C." })];
  }

  /** Hints once if the scene has a second answer, so that nobody has to wait for the next poll. */
  #stream() {
    if (this.#hinted || (this.#scene.looks?.length ?? 0) < 2) return problem({ status: 503, code: "unavailable" });
    this.#hinted = true;
    return new Response("data: look again\n\n", { headers: { "content-type": "text/event-stream" } });
  }
}

function json(body, status, headers = {}) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

function problem({ status, code, retryAfter }) {
  const headers = { "content-type": "application/problem+json" };
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return json({ type: "about:blank", title: code, status, code }, status, headers);
}

/** Address of the shop's endpoint, as the element asks for it. */
export function sessionUrlOf(element, state) {
  return `${SHOP_PATH}${element}/${state}`;
}

/** Plays the broker from now on, for the sessions of all scenes. */
export function stageBroker(states) {
  const plays = new Map();
  const network = window.fetch.bind(window);
  const playOf = (name) => {
    const [element, state] = name.split("/");
    const scene = states[element]?.[state];
    if (scene !== undefined && !plays.has(name)) plays.set(name, new Play(element, state, scene));
    return plays.get(name);
  };
  window.fetch = (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const authorization = request.headers.get("authorization") ?? "";
    const isStaged = TOKEN.test(authorization);
    if (!isStaged && !pathname.startsWith(SHOP_PATH)) return network(request);
    const play = playOf(isStaged ? authorization.replace(TOKEN, "") : pathname.slice(SHOP_PATH.length));
    return play === undefined ? network(request) : play.answer(request);
  };
}

/** Replaces the clipboard by one that takes every text but one: the real one needs user activation. */
export function stageClipboard(untaken) {
  const writeText = async (text) => {
    if (text === untaken) throw new DOMException("Write permission denied.", "NotAllowedError");
  };
  Object.defineProperty(navigator, "clipboard", { value: { writeText } });
}
