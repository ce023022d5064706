import { formatAmount } from "../../src/money.ts";
import type { EntityRules } from "../broker/access/entity-rules.ts";
import type { Operator } from "../broker/people/devices/manage-operators.ts";
import { instantText, tableText } from "./terminal-command.ts";

/** A new enrolment link and its code, shown only once. */
export interface EnrolmentLinkFacts {
  readonly link: string;
  readonly code: string;
}

/** Formats an enrolment link with its code as terminal text that explains how to use them. */
export function linkText({ link, code }: EnrolmentLinkFacts): string {
  return [
    tableText([
      ["link", link],
      ["code", code],
    ]),
    "",
    "Open the link on the device that is to be enrolled: within ten minutes, and once. Tell the code apart from it.",
  ].join("\n");
}

/**
 * Words, for the terminal, when a device that is enrolled by an invitation may pay, and if an operator has to agree
 * first.
 */
export function delayText({ delayed, needsSecond }: { readonly delayed: boolean; readonly needsSecond: boolean }) {
  const told = delayed
    ? "The user has a device already, which is told and may refuse; the new one does not pay for a while."
    : "It is the user's first device, and may pay at once, up to the new-device limit.";
  return needsSecond ? `${told}\nAn operator has to agree to the enrolment before the link is good.` : told;
}

/** Formats all operators as a table of text. */
export function operatorsText(operators: readonly Operator[]): string {
  if (operators.length === 0) return "There is no operator yet: npm run operator -- create --name NAME --role admin";
  const rows = operators.map(({ id, name, role, createdAt, disabledAt, devices }) => [
    ...[id, name, role, instantText(createdAt)],
    disabledAt === null ? "live" : `disabled ${instantText(disabledAt)}`,
    String(devices),
  ]);
  return tableText([["operator", "name", "role", "made", "state", "devices"], ...rows]);
}

/** Formats the entity's rules as text, one per line. */
export function rulesText(rules: EntityRules, digits: number): string {
  const amount = (minor: bigint | null) => (minor === null ? "–" : formatAmount(minor, digits));
  return tableText([
    ["new device pays after", `${rules.new_device_hours} h`],
    ["most with a first device until then", amount(rules.new_device_limit)],
    ["two operators above a quota of", amount(rules.two_operators_above)],
    ["most for one payment", amount(rules.payment_limit)],
    ["most for a day", amount(rules.day_limit)],
    ["most to somebody for the first time", amount(rules.first_time_limit)],
  ]);
}
