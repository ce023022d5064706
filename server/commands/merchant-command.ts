import * as rows from "../../src/contract/broker/operator-merchants.ts";
import { createUser } from "../../src/contract/service/users.ts";
import { MoneyError, parsePositiveAmount } from "../../src/money.ts";
import type { SettingsBody } from "../broker/merchants/read-settings.ts";
import {
  changeJob,
  createJob,
  deliveriesJob,
  disableJob,
  listJob,
  type MerchantUser,
  redeliverJob,
  rotateJob,
} from "./merchant-jobs.ts";
import { checkBody } from "./option-faults.ts";
import {
  CommandError,
  type Job,
  planPlain,
  planVerbs,
  readArguments,
  type TerminalCommand,
  UsageError,
} from "./terminal-command.ts";

const USAGE = `Usage: npm run merchant -- COMMAND

  create --name NAME (--user-id ID | --nit NIT) [SETTINGS]    a merchant of that user, with its first keys
  create --name NAME --new-user --nit NIT --phone PHONE [SETTINGS]
                                                              the same, of a new user, who is made at the service
  change MERCHANT_ID [--name NAME] [SETTINGS]                 changes what is named, and leaves the rest
  rotate MERCHANT_ID --kind KIND                              a second key of that kind beside the first
  rotate MERCHANT_ID --kind KIND --retire KEY_ID              a new key instead of that one, which ends at once
  rotate MERCHANT_ID --kind KIND --retire KEY_ID --no-new     ends that one and makes none
  disable MERCHANT_ID                                         refuses its keys and its pages' sessions, for good
  list                                                        all merchants, newest first, without any key
  deliveries MERCHANT_ID                                      what its webhook was sent, waits for or refused
  redeliver MERCHANT_ID EVENT_ID                              sends that event again

SETTINGS
  --origin https://shop.example   an origin of its pages; again for each more. In change they replace the whole list
  --open-amount-limit 200000      most that a page may ask for with the publishable key alone
  --first-party                   may show any user's quota: for the entity's own pages only
  --sells-top-ups                 its tills may sell top-ups, which its user's quota pays for
  --refunds                       its backend may give back what its own sessions were paid
  --refund-limit 500000           most that it gives back in one business day
  --webhook https://…             where it is told of payments
  and in change: --no-origins, --no-open-amounts, --no-first-party, --no-sells-top-ups, --no-refunds, --no-refund-limit,
                 --no-webhook

KIND is server, publishable or webhook.

  --json   what was done as one JSON document, keys included`;

const AMOUNT = /^\d{1,15}(?:\.\d{1,9})?$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Placeholder user id for validating a body before the nit is looked up. */
const ANY_USER = "00000000-0000-7000-8000-000000000000";

const settings = {
  name: { type: "string" },
  origin: { type: "string", multiple: true },
  "open-amount-limit": { type: "string" },
  "first-party": { type: "boolean" },
  "sells-top-ups": { type: "boolean" },
  refunds: { type: "boolean" },
  "refund-limit": { type: "string" },
  webhook: { type: "string" },
} as const;
const withdrawals = {
  "no-origins": { type: "boolean" },
  "no-open-amounts": { type: "boolean" },
  "no-first-party": { type: "boolean" },
  "no-sells-top-ups": { type: "boolean" },
  "no-refunds": { type: "boolean" },
  "no-refund-limit": { type: "boolean" },
  "no-webhook": { type: "boolean" },
} as const;

/** The parsed options of any of the commands. */
interface Read {
  readonly name?: string | undefined;
  readonly origin?: readonly string[] | undefined;
  readonly "open-amount-limit"?: string | undefined;
  readonly "first-party"?: boolean | undefined;
  readonly "sells-top-ups"?: boolean | undefined;
  readonly refunds?: boolean | undefined;
  readonly "refund-limit"?: string | undefined;
  readonly webhook?: string | undefined;
}

const LIMITS = ["open-amount-limit", "refund-limit"] as const;

function amountOf(read: Read, name: (typeof LIMITS)[number]): number | undefined {
  const text = read[name];
  if (text === undefined || AMOUNT.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--${name} must be an amount in currency units, such as 200000.`);
}

/** Makes a job first check that its limits have no more decimals than the currency, which only its context knows. */
function withLimits(read: Read, job: Job): Job {
  return async (services) => {
    for (const name of LIMITS) {
      try {
        if (read[name] !== undefined) parsePositiveAmount(read[name], services.currency.digits);
      } catch (error) {
        if (!(error instanceof MoneyError)) throw error;
        throw new CommandError(`--${name} ${error.message}.`);
      }
    }
    return job(services);
  };
}

/** Builds a request body of the options that were given, and no others. */
function bodyOf(read: Read): SettingsBody {
  const body: SettingsBody = {
    name: read.name,
    origins: read.origin,
    open_amount_limit: amountOf(read, "open-amount-limit"),
    first_party: read["first-party"],
    sells_top_ups: read["sells-top-ups"],
    refunds: read.refunds,
    refund_limit: amountOf(read, "refund-limit"),
    webhook_url: read.webhook,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function merchantId(text = ""): string {
  if (UUID.test(text)) return text;
  throw new UsageError("The merchant id is the UUID that npm run merchant -- list shows first.");
}

const merchantUser = {
  "user-id": { type: "string" },
  nit: { type: "string" },
  "new-user": { type: "boolean" },
  phone: { type: "string" },
} as const;

interface ReadUser {
  readonly "user-id"?: string;
  readonly nit?: string;
  readonly "new-user"?: boolean;
  readonly phone?: string;
}

function newUser(name: string, { "user-id": id, nit, phone }: ReadUser): MerchantUser {
  if (id !== undefined)
    throw new UsageError("--user-id names a user that there is, and --new-user makes one: say one of the two.");
  if (nit === undefined || phone === undefined)
    throw new UsageError("--new-user needs what tells the new user apart: --nit NIT and --phone PHONE.");
  const made = { name, nit, phone };
  checkBody(createUser, made);
  return { made };
}

function merchantUserOf(name: string, read: ReadUser): MerchantUser {
  const { "user-id": id, nit, phone } = read;
  if (read["new-user"] === true) return newUser(name, read);
  if (phone !== undefined) throw new UsageError("--phone is of a user to make: say --new-user too.");
  if (id !== undefined && nit === undefined) return { id };
  if (nit !== undefined && id === undefined) return { nit };
  throw new UsageError(
    "Name the merchant's user, as --user-id ID or --nit NIT: one of the two. --new-user makes one instead.",
  );
}

/** Reads the `--no-` options as a change of the settings; refuses an option together with its opposite. */
function withdrawn(read: Read & { readonly [Name in keyof typeof withdrawals]?: boolean }): SettingsBody {
  const pairs = [
    ["no-origins", "origin", { origins: [] }],
    ["no-open-amounts", "open-amount-limit", { open_amount_limit: null }],
    ["no-first-party", "first-party", { first_party: false }],
    ["no-sells-top-ups", "sells-top-ups", { sells_top_ups: false }],
    ["no-refunds", "refunds", { refunds: false }],
    ["no-refund-limit", "refund-limit", { refund_limit: null }],
    ["no-webhook", "webhook", { webhook_url: null }],
  ] as const;
  const taken = pairs.filter(([name]) => read[name] === true);
  for (const [name, opposite] of taken) {
    if (read[opposite] !== undefined) throw new UsageError(`--${name} and --${opposite} cannot be both: say one.`);
  }
  return Object.assign({}, ...taken.map(([, , body]) => body));
}

/** `npm run merchant`: makes, changes, rotates, disables and lists the broker's merchants. */
export const merchantCommand: TerminalCommand = {
  usage: USAGE,
  part: "broker",
  plan: planVerbs({
    create(args) {
      const { values } = readArguments(args, { ...settings, ...merchantUser }, []);
      const { name } = values;
      if (name === undefined) throw new UsageError("Name the merchant, as --name TEXT.");
      const wanted = merchantUserOf(name, values);
      const body = { ...bodyOf(values), name };
      checkBody(rows.createMerchant, { ...body, user_id: "id" in wanted ? wanted.id : ANY_USER });
      return withLimits(values, createJob(body, wanted));
    },
    change(args) {
      const { values, positionals } = readArguments(args, { ...settings, ...withdrawals }, ["merchant id"]);
      const id = merchantId(positionals[0]);
      const body = { ...bodyOf(values), ...withdrawn(values) };
      if (Object.keys(body).length === 0) throw new UsageError("Say what to change, as --origin https://shop.example.");
      checkBody(rows.changeMerchant, body);
      return withLimits(values, changeJob(id, body));
    },
    rotate(args) {
      const options = {
        kind: { type: "string" },
        retire: { type: "string", multiple: true },
        "no-new": { type: "boolean" },
      } as const;
      const { values, positionals } = readArguments(args, options, ["merchant id"]);
      const id = merchantId(positionals[0]);
      const { retire = [], "no-new": none = false } = values;
      const kind = (["server", "publishable", "webhook"] as const).find((known) => known === values.kind);
      if (kind === undefined) throw new UsageError("Say --kind server, publishable or webhook.");
      if (none && retire.length === 0) throw new UsageError("--no-new needs a key to end: --retire KEY_ID.");
      checkBody(rows.rotateMerchantKey, { kind, retire, new_key: !none });
      return rotateJob(id, { kind, retire, newKey: !none });
    },
    disable(args) {
      const { positionals } = readArguments(args, {}, ["merchant id"]);
      return disableJob(merchantId(positionals[0]));
    },
    list: planPlain(listJob),
    deliveries(args) {
      const { positionals } = readArguments(args, {}, ["merchant id"]);
      return deliveriesJob(merchantId(positionals[0]));
    },
    redeliver(args) {
      const { positionals } = readArguments(args, {}, ["merchant id", "event id"]);
      const [id, eventId = ""] = positionals;
      if (!UUID.test(eventId)) throw new UsageError("The event id is the UUID that deliveries shows first.");
      return redeliverJob(merchantId(id), eventId);
    },
  }),
};
