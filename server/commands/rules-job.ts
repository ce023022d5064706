import { amountToNumber, MoneyError, parseOwedAmount, parsePositiveAmount } from "../../src/money.ts";
import { changeEntityRules, type EntityRules, newDeviceLimit, readEntityRules } from "../broker/access/entity-rules.ts";
import { carryOut } from "./operator-jobs.ts";
import { rulesText } from "./operator-texts.ts";
import { type CommandContext, CommandError, type CommandOutput, type Job } from "./terminal-command.ts";

/** The database column for each terminal option that sets one of the entity's rules with an amount. */
export const AMOUNT_RULES = Object.freeze({
  "new-device-limit": "new_device_limit",
  "two-operators-above": "two_operators_above",
  "payment-limit": "payment_limit",
  "day-limit": "day_limit",
  "first-time-limit": "first_time_limit",
} as const);

/**
 * The rules of the entity that options at the terminal change: the hours for new devices as a number, and amounts as
 * they were typed, in currency units or `none`.
 */
export interface TypedRules {
  readonly hours: number | undefined;
  readonly amounts: Readonly<Partial<Record<keyof typeof AMOUNT_RULES, string>>>;
}

function minorOf(option: string, text: string, digits: number): bigint | null {
  if (text === "none") return null;
  try {
    // The threshold may be zero: then every enrolment needs two operators. A limit of zero would forbid every payment.
    return option === "two-operators-above" ? parseOwedAmount(text, digits) : parsePositiveAmount(text, digits);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw new CommandError(`--${option} ${error.message}.`);
  }
}

function changesOf({ hours, amounts }: TypedRules, { currency }: CommandContext): Partial<EntityRules> {
  const read = Object.entries(AMOUNT_RULES).flatMap(([option, column]) => {
    const text = amounts[option as keyof typeof AMOUNT_RULES];
    return text === undefined ? [] : [[column, minorOf(option, text, currency.digits)]];
  });
  return { ...(hours === undefined ? {} : { new_device_hours: hours }), ...Object.fromEntries(read) };
}

function factsOf(changes: Partial<EntityRules>) {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === null ? "none" : `${value}`]),
  );
}

function answerOf(kept: EntityRules, { currency }: CommandContext): CommandOutput {
  const { digits } = currency;
  const rules = { ...kept, new_device_limit: newDeviceLimit(kept.new_device_limit, digits) };
  const data = Object.entries(rules).map(([name, value]) => [
    name,
    typeof value === "bigint" ? amountToNumber(value, digits) : value,
  ]);
  return { text: rulesText(rules, digits), data: Object.fromEntries(data) };
}

/** Changes the entity's rules where options are given, and shows them. */
export function rulesJob(typed: TypedRules): Job {
  return async (services) => {
    const changes = changesOf(typed, services);
    if (Object.keys(changes).length === 0) return answerOf(await readEntityRules(services.sql), services);
    const rules = await carryOut(services, "change rules", async (tx) => {
      const result = await changeEntityRules(tx, changes);
      return { result, subject: "rules", outcome: "done", facts: factsOf(changes) };
    });
    return answerOf(rules, services);
  };
}
