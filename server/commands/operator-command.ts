import type { OperatorRole } from "../broker/access/principal.ts";
import { endCodesJob, setCodesJob, showCodesJob } from "./codes-job.ts";
import type { WantedUser } from "./find-service-user.ts";
import { freezeJob, unfreezeJob } from "./freeze-jobs.ts";
import {
  createOperatorJob,
  disableOperatorJob,
  inviteJob,
  linkOperatorJob,
  listOperatorsJob,
} from "./operator-jobs.ts";
import { checkName } from "./option-faults.ts";
import { AMOUNT_RULES, rulesJob } from "./rules-job.ts";
import { planPlain, planVerbs, readArguments, type TerminalCommand, UsageError } from "./terminal-command.ts";

const USAGE = `Usage: npm run operator -- COMMAND

  create --name NAME --role ROLE                      an operator, with a link and a code for the first device
  link OPERATOR_ID                                    a link and a code for another device; an earlier link ends
  disable OPERATOR_ID                                 signs the operator out everywhere, for good
  list                                                all operators, newest first
  invite (--user-id ID | --nit NIT | --phone PHONE)   a link and a code for a user of the service
      with --retire-devices: takes a second operator, and all earlier devices go as the new one comes
  codes [--url URL | --off]                           who is told the codes of links that are made over HTTP
  freeze (--user-id ID | --nit NIT | --phone PHONE)   nobody signs in, pays or reads in the user's name any more
  unfreeze (--user-id ID | --nit NIT | --phone PHONE) lifts that; whoever signs in, does so anew
  rules [RULES]                                       what holds for the people of the app; changes what is named

ROLE is viewer, clerk or admin. URL is an endpoint of your backend, such as https://backend.example/codes: each code is
sent there with its user's id, signed with the secret that is shown once, when the endpoint is set. Without an endpoint
a second operator is shown the code.

RULES
  --new-device-hours 24           how long a device that is enrolled anew waits before it pays, and a first device
                                  pays up to its limit: 0 to 720
  --new-device-limit AMOUNT       most that a person pays until then with a first device; at first 200000, never none
  --two-operators-above AMOUNT    above this quota it takes two operators to enrol a user
  --payment-limit AMOUNT          most for one payment
  --day-limit AMOUNT              most for a day
  --first-time-limit AMOUNT       most to somebody for the first time

AMOUNT is in currency units, such as 500000, or none.

  --json   what was done as one JSON document, link and code included`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AMOUNT = /^(?:none|\d{1,15}(?:\.\d{1,9})?)$/;
const MOST_HOURS = 720;
const USER_OPTIONS = {
  "user-id": { type: "string" },
  nit: { type: "string" },
  phone: { type: "string" },
} as const;
const ROLES: readonly OperatorRole[] = ["viewer", "clerk", "admin"];

function operatorId(args: readonly string[]): string {
  const [id = ""] = readArguments(args, {}, ["operator id"]).positionals;
  if (UUID.test(id)) return id.toLowerCase();
  throw new UsageError("The operator id is the UUID that npm run operator -- list shows first.");
}

function hoursOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hours = Number(text);
  if (/^\d{1,3}$/.test(text) && hours <= MOST_HOURS) return hours;
  throw new UsageError(`--new-device-hours must be a whole number from 0 to ${MOST_HOURS}.`);
}

function wantedUser(values: {
  readonly "user-id"?: string;
  readonly nit?: string;
  readonly phone?: string;
}): WantedUser {
  const { "user-id": id, nit, phone } = values;
  const named: WantedUser[] = [
    ...(id === undefined ? [] : [{ id }]),
    ...(nit === undefined ? [] : [{ nit }]),
    ...(phone === undefined ? [] : [{ phone }]),
  ];
  const [wanted] = named;
  if (wanted === undefined || named.length > 1) {
    throw new UsageError("Name the user, as --user-id ID, --nit NIT or --phone PHONE: one of the three.");
  }
  if (id === undefined || UUID.test(id)) return wanted;
  throw new UsageError("--user-id must be an id, such as 01890a5d-ac96-774b-bcce-b302099a8057.");
}

/**
 * `npm run operator`: makes, links, disables and lists operators, invites, freezes and unfreezes users, and shows or
 * changes the endpoint for codes and the entity's rules.
 */
export const operatorCommand: TerminalCommand = {
  usage: USAGE,
  part: "broker",
  plan: planVerbs({
    create(args) {
      const { values } = readArguments(args, { name: { type: "string" }, role: { type: "string" } }, []);
      const { name } = values;
      if (name === undefined) throw new UsageError("Name the operator, as --name TEXT.");
      checkName("name", name);
      const role = ROLES.find((known) => known === values.role);
      if (role === undefined) throw new UsageError("Say --role viewer, clerk or admin.");
      return createOperatorJob({ name, role });
    },
    link: (args) => linkOperatorJob(operatorId(args)),
    disable: (args) => disableOperatorJob(operatorId(args)),
    list: planPlain(listOperatorsJob),
    invite(args) {
      const options = { ...USER_OPTIONS, "retire-devices": { type: "boolean" } } as const;
      const { "retire-devices": retiresDevices = false, ...named } = readArguments(args, options, []).values;
      return inviteJob(wantedUser(named), { retiresDevices });
    },
    codes(args) {
      const { url, off = false } = readArguments(
        args,
        { url: { type: "string" }, off: { type: "boolean" } },
        [],
      ).values;
      if (url !== undefined && off) throw new UsageError("--url and --off cannot be both: say one.");
      if (off) return endCodesJob;
      return url === undefined ? showCodesJob : setCodesJob(url);
    },
    freeze: (args) => freezeJob(wantedUser(readArguments(args, USER_OPTIONS, []).values)),
    unfreeze: (args) => unfreezeJob(wantedUser(readArguments(args, USER_OPTIONS, []).values)),
    rules(args) {
      const options = {
        "new-device-hours": { type: "string" },
        "new-device-limit": { type: "string" },
        "two-operators-above": { type: "string" },
        "payment-limit": { type: "string" },
        "day-limit": { type: "string" },
        "first-time-limit": { type: "string" },
      } as const;
      const { "new-device-hours": hours, ...amounts } = readArguments(args, options, []).values;
      for (const option of Object.keys(AMOUNT_RULES) as (keyof typeof AMOUNT_RULES)[]) {
        const text = amounts[option];
        const mayBeNone = option !== "new-device-limit";
        if (text === undefined || (AMOUNT.test(text) && (mayBeNone || text !== "none"))) continue;
        const orNone = mayBeNone ? ", or none" : "";
        throw new UsageError(`--${option} must be an amount in currency units, such as 500000${orNone}.`);
      }
      return rulesJob({ hours: hoursOf(hours), amounts });
    },
  }),
};
