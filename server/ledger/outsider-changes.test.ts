import { afterAll, beforeAll, expect, it } from "vitest";
import { aLedger, outcomeOf, type TestLedger, type TestUser } from "../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aPayment, aQrPayment, aReservation } from "../../test/support/ledger.ts";
import type { Command, Payment } from "./model/command.ts";
import type { Exposure } from "./model/exposure.ts";
import type { QrRecord, ReserveQr } from "./model/qr-commands.ts";
import type { EntityState, IdempotencyRecord, LedgerAccount, UserState } from "./model/state.ts";
import type { Writer } from "./writer.ts";

let ledger: TestLedger;
let writer: Writer;
let other: Writer;

beforeAll(async () => {
  ledger = await aLedger();
  writer = ledger.aWriter({ isDoubted: () => false });
  other = ledger.aWriter();
});
afterAll(() => ledger.drop());

const [QUOTA, AMOUNT, PAYMENTS_A_DAY] = [1_000n, 10n, 2_000n];

/** Two users of two entities, between whom the writer has posted, a code of the payee, and a key. */
interface Scene {
  readonly payer: TestUser;
  readonly payee: TestUser;
  readonly qr: ReserveQr;
  readonly key: string;
}

async function aScene(): Promise<Scene> {
  const [mine, theirs] = [await ledger.anEntity(), await ledger.anEntity()];
  await ledger.sql`update service.entities set daily_limit = ${PAYMENTS_A_DAY}`;
  const [payer, payee] = [await ledger.aUser(mine, QUOTA), await ledger.aUser(theirs)];
  const qr = aReservation(payee, AMOUNT, { expiresAt: new Date(Date.now() + 86_400_000) });
  const scene = { payer, payee, qr, key: `key of ${payer.id}` };
  await writer.post(aCommand(anOrigin(theirs), qr));
  // The first opens what is missing; after the second everything is remembered.
  for (const key of [undefined, scene.key]) await writer.post(aCommand(anOrigin(mine, key), payment(scene)));
  return scene;
}

function payment({ payer, payee }: Scene) {
  return aPayment(payer.id, payee.id, AMOUNT);
}

const COMMANDS = {
  payment: (scene: Scene) => aCommand(anOrigin(scene.payer.entity), payment(scene)),
  qr: (scene: Scene) => aCommand(anOrigin(scene.payer.entity), aQrPayment(scene.qr, scene.payer.id)),
  again: (scene: Scene) => aCommand(anOrigin(scene.payer.entity, scene.key), payment(scene)),
} as const satisfies Readonly<Record<string, (scene: Scene) => Command<Payment>>>;

/** Rows that a decision reads: their table, which of them, and the command that reads them. */
interface Rows {
  readonly table: string;
  readonly where: (scene: Scene) => string;
  readonly by: keyof typeof COMMANDS;
}

/**
 * For each field of a row the change that an outsider makes, as SQL: `set` of an update, or a statement; with the
 * outcome that it must lead to. A field that never changes once its row is there is only touched: null.
 */
type Changes<T> = Readonly<Record<keyof T, Change>>;
type Change = null | readonly [sql: string, outcome?: string];

const ENTITY: Changes<EntityState> = {
  id: null,
  closedThrough: ["closed_through = current_date + 400"],
  blockingStatuses: ["blocking_statuses = '{active}'", "payer_blocked"],
  paymentLimit: [`payment_limit = ${AMOUNT - 1n}`, "limit_exceeded"],
  dailyLimit: [`daily_limit = ${3n * AMOUNT - 1n}`, "limit_exceeded"],
  transferLimit: ["transfer_limit = 1"],
  lenders: ["lenders = '{}'"],
  foreignLenders: ["foreign_debts = 'none'"],
  sendsEvents: ["sends_events = true"],
  eventTypes: [
    `insert into service.webhook_endpoints (id, entity_id, name, url, event_types, sealed_secrets, created_at)
      select gen_random_uuid(), id, 'hook', 'https://shop.example/', '{transaction.rejected}', '{a}', now()
      from service.entities where`,
  ],
};
const PAYEE_ENTITY: Changes<EntityState> = {
  ...ENTITY,
  blockingStatuses: ["blocking_statuses = '{active}'", "approved"],
  paymentLimit: ["payment_limit = 1", "approved"],
  dailyLimit: ["daily_limit = 1", "approved"],
};
const USER: Changes<UserState> = {
  id: null,
  creatorId: null,
  name: ["name = 'Another name'", "approved"],
  businessName: ["business_name = 'Another name'", "approved"],
  nit: ["nit = 'another ' || id", "approved"],
  phone: ["phone = 'another ' || id", "approved"],
  status: ["status = 'arrear'"],
  blockedAt: ["blocked_at = now()", "payer_blocked"],
};
const PAYEE: Changes<UserState> = { ...USER, blockedAt: ["blocked_at = now()", "approved"] };
const ACCOUNT: Changes<LedgerAccount> = {
  id: null,
  kind: null,
  entityId: null,
  counterpartyId: null,
  day: null,
  slot: null,
  posted: [`posted = posted - ${QUOTA - 3n * AMOUNT + 1n}`, "insufficient_balance"],
  held: [`held = held + ${QUOTA - 3n * AMOUNT + 1n}`, "insufficient_balance"],
  entryCount: ["entry_count = entry_count + 5", "approved"],
  activeOn: ["active_on = active_on - 1", "approved"],
  spent: [`spent = spent + ${PAYMENTS_A_DAY}`, "limit_exceeded"],
  spentOn: ["spent_on = spent_on - 1", "approved"],
  version: null,
};
const OTHER_ACCOUNT: Changes<LedgerAccount> = {
  ...ACCOUNT,
  posted: ["posted = posted + 7", "approved"],
  held: ["held = held + 7", "approved"],
  spent: ["spent = spent + 7", "approved"],
};
const QR: Changes<QrRecord> = {
  reference: null,
  payload: null,
  checkCode: null,
  toUserId: null,
  toUser: null,
  fromUserId: ["from_user_id = to_user_id"],
  amount: ["amount = amount + 1"],
  details: null,
  madeBy: null,
  createdAt: null,
  expiresAt: ["expires_at = now() - interval '1 day'", "qr_expired"],
  cancelledAt: ["cancelled_at = now()", "qr_cancelled"],
  transactionId: ["transaction_id = gen_random_uuid()", "qr_already_paid"],
  version: null,
};
const LIMIT: Changes<Pick<Exposure, "creditorId" | "debtorId" | "limit" | "setLimit" | "limitWhereUnset" | "isNear">> =
  {
    creditorId: null,
    debtorId: null,
    limit: ["limit_amount = 1", "counterparty_limit"],
    setLimit: ["limit_amount = 1", "counterparty_limit"],
    limitWhereUnset: ["least_limit = 2000000000000000000", "approved"],
    isNear: ["is_near = true", "approved"],
  };
const SLICE: Changes<Pick<Exposure, "used" | "held" | "granted" | "others" | "isWhole">> = {
  used: ["used = used + 5", "approved"],
  held: ["held = held + 5", "approved"],
  granted: ["granted = used", "approved"],
  others: [
    `insert into service.counterparty_slices (creditor_id, debtor_id, slot, used, granted, version)
      select creditor_id, debtor_id, 1, 3, 5, 99 from service.counterparty_slices where`,
    "approved",
  ],
  isWhole: null,
};
const KEY: Changes<IdempotencyRecord> = {
  fingerprint: ["fingerprint = 'of another body'", "idempotency_key_reused"],
  answer: ["delete from service.idempotency_records where", "approved"],
};

const between = ({ payer, payee }: Scene) => `creditor_id = '${payee.entity.id}' and debtor_id = '${payer.entity.id}'`;
const books = (kind: string, one: "payer" | "payee") => (scene: Scene) =>
  `kind = '${kind}' and entity_id = '${scene[one].entity.id}' and slot = 0`;

const TABLE: readonly (Rows & { readonly changes: Readonly<Record<string, Change>> })[] = [
  { table: "entities", where: ({ payer }) => `id = '${payer.entity.id}'`, by: "payment", changes: ENTITY },
  { table: "entities", where: ({ payee }) => `id = '${payee.entity.id}'`, by: "payment", changes: PAYEE_ENTITY },
  { table: "users", where: ({ payer }) => `id = '${payer.id}'`, by: "payment", changes: USER },
  { table: "users", where: ({ payee }) => `id = '${payee.id}'`, by: "payment", changes: PAYEE },
  { table: "accounts", where: ({ payer }) => `id = '${payer.id}'`, by: "payment", changes: ACCOUNT },
  { table: "accounts", where: ({ payee }) => `id = '${payee.id}'`, by: "payment", changes: OTHER_ACCOUNT },
  { table: "accounts", where: books("due_to", "payer"), by: "payment", changes: OTHER_ACCOUNT },
  { table: "accounts", where: books("due_from", "payee"), by: "payment", changes: OTHER_ACCOUNT },
  { table: "qr_reservations", where: ({ qr }) => `reference = '${qr.reference}'`, by: "qr", changes: QR },
  { table: "counterparty_limits", where: between, by: "payment", changes: LIMIT },
  { table: "counterparty_slices", where: (scene) => `${between(scene)} and slot = 0`, by: "payment", changes: SLICE },
  { table: "idempotency_records", where: ({ key }) => `key = '${key}'`, by: "again", changes: KEY },
];

const CASES = TABLE.flatMap(({ changes, ...rows }, index) =>
  Object.entries(changes).map(([field, change]) => ({ ...rows, index, field, change })),
);

/** The statement of a change; a field that never changes is written as it is. */
function statementOf({ table, where, change }: (typeof CASES)[number], scene: Scene): string {
  const [sql = ""] = change ?? [];
  if (/^(?:insert|delete)/.test(sql)) return `${sql} ${where(scene)}`;
  const [, first = ""] = /^(\w+)/.exec(where(scene)) ?? [];
  return `update service.${table} set ${sql === "" ? `${first} = ${first}` : sql} where ${where(scene)}`;
}

/** The accounts of both users as they stand. */
async function standingOf({ payer, payee }: Scene) {
  return ledger.sql<{ id: string; posted: bigint; held: bigint; spent: bigint; entryCount: bigint }[]>`
    select id, posted, held, spent, entry_count as "entryCount" from service.accounts
    where id in (${payer.id}, ${payee.id}) order by id`;
}

it.each(CASES)("$table $index: a change of $field refuses what was decided without it", async (one) => {
  const scene = await aScene();
  const { refused } = writer.figures;
  const changed = await ledger.sql.unsafe(statementOf(one, scene));
  expect(changed.count).toBe(1);
  const command = COMMANDS[one.by](scene);
  const before = await standingOf(scene);
  // As somebody decides who remembers nothing.
  const preview = await other.preview(command).catch((error: unknown) => error);
  const expected = await outcomeOf(preview instanceof Error ? Promise.reject(preview) : Promise.resolve(preview));
  expect(await outcomeOf(writer.post(command))).toBe(expected);
  const [, outcome = expected] = one.change ?? [];
  expect([expected, writer.figures.refused - refused]).toEqual([outcome, 1]);
  const accounts = (preview as Partial<Awaited<ReturnType<Writer["preview"]>>>).changes?.accounts;
  const left = before.map((row) => {
    const { id, posted, held, spent, entryCount } = accounts?.get(row.id) ?? row;
    return { id, posted, held, spent, entryCount };
  });
  expect(await standingOf(scene)).toEqual(left);
});
