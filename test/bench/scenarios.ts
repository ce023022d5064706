import type { Script, Step } from "./load/run-load.ts";

/** Which people a scenario needs: so many entities with so many users in all. */
export interface Crowd {
  /** Behind the service, or behind a broker in front of another. */
  readonly at: "service" | "broker";
  readonly entities: number;
  readonly accounts: number;
}

/** One kind of load over HTTP. */
export interface Scenario {
  readonly title: string;
  readonly crowd: Crowd;
  readonly replaysIn1000: number;
  /** Connections that it needs instead of those of the command line. */
  readonly connections?: readonly number[];
  /** A scenario that runs before, so that there is something to read. */
  readonly after?: "random";
  /** Payments, or reads, that one operation makes. */
  readonly each: number;
  /** Lists of the load generator are named by the number of their entity: `users0`, `tokens0`, `hot0`. */
  readonly scripts: readonly Script[];
}

const PLAIN: Crowd = Object.freeze({ at: "service", entities: 1, accounts: 1000 });
const SEVERAL: Crowd = Object.freeze({ at: "service", entities: 4, accounts: 1000 });
const MANY: Crowd = Object.freeze({ at: "service", entities: 4, accounts: 100_000 });
const PAYERS: Crowd = Object.freeze({ at: "broker", entities: 1, accounts: 2000 });
/** More than any user has. */
const TOO_MUCH = "2000000000";
const AMOUNT = "<1-100>";
const TOGETHER = 100;

function headersOf(entity: number): readonly string[] {
  return [`Authorization: Bearer <tokens${entity}>`, "Idempotency-Key: <key>"];
}

function payment(weight: number, entity: number, payer: string, payee: string, amount = AMOUNT): Script {
  const body = `{"from_user_id":"<${payer}>","to_user_id":"<${payee}>","amount":${amount}}`;
  const step = { request: "POST /create-transaction", headers: headersOf(entity), body };
  return { weight, payments: 1, steps: [step] };
}

/** A payer and a payee within one entity. */
type Pair = (entity: number) => readonly [payer: string, payee: string];

const random: Pair = (entity) => [`users${entity}`, `users${entity} other`];
const intoOne: Pair = (entity) => [`users${entity}`, "hot0"];
const outOfOne: Pair = (entity) => ["hot0", `users${entity}`];

function plain(title: string, pair: Pair): Scenario {
  return { title, crowd: PLAIN, replaysIn1000: 0, each: 1, scripts: [payment(1, 0, ...pair(0))] };
}

/** The shares of payments in a thousand: 5 % are rejected, and 10 % go to other entities. */
const [WITHIN, REJECTED, ABROAD] = [850, 50, 100];

/** Payments within each entity and to its neighbours, as many back as forth. */
function amongAll(count: number): readonly Script[] {
  return Array.from({ length: count }, (_, entity) => {
    const [payer, payee] = random(entity);
    const neighbours = [(entity + 1) % count, (entity + count - 1) % count];
    const abroad = neighbours.map((other) => payment(ABROAD / 2, entity, payer, `users${other}`));
    return [payment(WITHIN, entity, payer, payee), payment(REJECTED, entity, payer, payee, TOO_MUCH), ...abroad];
  }).flat();
}

/** Payments between one account of the first entity and the users of that entity, and of the others. */
function withOne(count: number, pair: Pair): readonly Script[] {
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
  const payer = (entity: number) => (pair === outOfOne ? 0 : entity);
  const within = [payment(WITHIN, 0, ...pair(0)), payment(REJECTED, 0, ...pair(0), TOO_MUCH)];
  return [
    ...within,
    ...others.map((entity) => payment(Math.round(ABROAD / others.length), payer(entity), ...pair(entity))),
  ];
}

/** Payments as an installation meets them: some are rejected, some go to other entities, 2 % are sent again. */
function mixed(title: string, crowd: Crowd, pair: Pair): Scenario {
  const scripts = pair === random ? amongAll(crowd.entities) : withOne(crowd.entities, pair);
  return { title, crowd, replaysIn1000: 20, each: 1, scripts };
}

function batch(): Scenario {
  const items = Array.from({ length: TOGETHER }, () => `{"to_user_id":"<users0 other>","amount":${AMOUNT}}`);
  const body = `{"from_user_id":"<users0>","payments":[${items.join(",")}]}`;
  const step = { request: "POST /create-payment-transaction", headers: headersOf(0), body };
  const scripts = [{ weight: 1, payments: TOGETHER, steps: [step] }];
  return {
    title: `batches of ${TOGETHER}`,
    crowd: PLAIN,
    connections: [1, 16],
    replaysIn1000: 0,
    each: TOGETHER,
    scripts,
  };
}

/** Makes a code for a payee, and lets somebody pay it. */
function codes(): Scenario {
  const [authorization = "", key = ""] = headersOf(0);
  const make: Step = {
    request: "POST /create-transaction-qr",
    headers: [authorization, "Accept: application/json"],
    body: '{"to_user_id":"<users0>","amount":50}',
    takes: { payload: '"payload":"' },
  };
  const users = '"from_user_id":"<users0 other>","to_user_id":"<users0 like users0>"';
  const body = `{${users},"amount":50,"details":{"qr":"<payload>"}}`;
  const pay = { request: "POST /create-transaction", headers: [authorization, key], body };
  const scripts = [{ weight: 1, payments: 1, steps: [make, pay] }];
  return { title: "codes, made and paid", crowd: PLAIN, replaysIn1000: 0, each: 1, scripts };
}

/** The first page of somebody's history. */
function reads(): Scenario {
  const headers = ["Authorization: Bearer <tokens0>"];
  const step = { request: "GET /transaction-history?user-id=<users0>&limit=25", headers };
  const scripts = [{ weight: 1, payments: 0, steps: [step] }];
  return { title: "histories, first page", crowd: PLAIN, replaysIn1000: 0, after: "random", each: 1, scripts };
}

/**
 * A payment as a shop and the payer's app make it: the app opens the approval of a scanned code at once. It is approved
 * by a button instead of a passkey.
 */
function throughBroker(): Scenario {
  const page = ["Authorization: Bearer <session>", "Origin: https://shop.example"];
  const app = ["Cookie: <cookies>", "X-Cupo-Request: 1", "Sec-Fetch-Site: same-origin"];
  const again = ["Cookie: <cookies like cookies>", ...app.slice(1)];
  const order = '{"kind":"pay","amount":5,"order":"<key>","origin":"https://shop.example"}';
  const confirmation = '{"payee":"<payee>","amount":5,"reference":"<reference>","demo":true}';
  const shown = { payee: '"payee":"', reference: '"reference":"', payload: '"payload":"' };
  const steps: readonly Step[] = [
    {
      request: "POST /v1/sessions",
      headers: ["Authorization: Bearer <keys>"],
      body: order,
      takes: { session: '"session":"' },
    },
    { request: "GET /v1/session", headers: page, takes: shown },
    {
      request: "POST /v1/approvals",
      headers: [...app, "Idempotency-Key: <key>"],
      body: '{"payload":"<payload>"}',
      takes: { approval: '"id":"' },
    },
    {
      request: "POST /v1/approvals/<approval>/confirm",
      headers: again,
      body: confirmation,
      takes: { made: '"state":"approved' },
    },
    { request: "GET /v1/session", headers: page, takes: { paid: '"state":"paid' } },
  ];
  const scripts = [{ weight: 1, payments: 1, steps }];
  const title = `payments through the broker, ${steps.length} requests each`;
  return { title, crowd: PAYERS, connections: [1, 16, 64], replaysIn1000: 0, each: 1, scripts };
}

/** Every scenario by its name on the command line. */
export const scenarios = Object.freeze({
  random: plain("random accounts", random),
  hot: plain("into one hot account", intoOne),
  out: plain("out of one hot account", outOfOne),
  mixed: mixed("mixed, random, 1 000 accounts", SEVERAL, random),
  "mixed-hot": mixed("mixed, into one hot account", SEVERAL, intoOne),
  "mixed-out": mixed("mixed, out of one hot account", SEVERAL, outOfOne),
  "mixed-100k": mixed("mixed, random, 100 000 accounts", MANY, random),
  "mixed-hot-100k": mixed("mixed, into one hot account, 100 000 accounts", MANY, intoOne),
  batches: batch(),
  codes: codes(),
  reads: reads(),
  broker: throughBroker(),
});

/** The name of a scenario. */
export type ScenarioName = keyof typeof scenarios;
