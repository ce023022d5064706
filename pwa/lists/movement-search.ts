import type { Movement } from "../../src/contract/broker/broker.ts";
import type { NamedMovement } from "../contacts/name-movements.ts";
import { dayKey } from "../format/day-key.ts";
import { soughtAmount } from "../format/money-format.ts";

/**
 * Filter of a list of movements by direction, kind, month and text; an empty `kind`, `month` or `text` filters nothing,
 * and neither does the direction `all`.
 */
export interface MovementFilter {
  readonly direction: "all" | Movement["direction"];
  readonly kind: "" | Movement["kind"];
  /** The month on the person's own calendar: `2026-03`. */
  readonly month: string;
  readonly text: string;
}

/** Filter that lets all movements through; lists begin with it. */
export const everything: MovementFilter = Object.freeze({ direction: "all", kind: "", month: "", text: "" });

/** True if a value has the properties of a filter. */
export function isFilter(value: unknown): value is MovementFilter {
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(everything).every((name) => typeof (value as Record<string, unknown>)[name] === "string");
}

/** True if the filter lets all movements through. */
export function isEverything({ direction, kind, month, text }: MovementFilter): boolean {
  return direction === everything.direction && kind === "" && month === "" && text === "";
}

/** A part shorter than a group of a reference would match far too many. */
const REFERENCE_PART = 4;

/** Search keys of one movement, made once: a list of ten thousand is searched with every key that is pressed. */
interface Found {
  readonly text: string;
  readonly reference: string;
  readonly amount: string;
  readonly month: string;
}

const prepared = new WeakMap<Movement, Found>();

/** A text without accents and capitals, so that `cafe` finds `Café`. */
function foldText(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

/** A reference as people type it: in either case, with hyphens, and with I, L and O for what looks like them. */
function foldReference(text: string): string {
  return text.replace(/[-\s]/g, "").replace(/[il]/g, "1").replace(/o/g, "0");
}

function foundBy(movement: Movement): Found {
  const known = prepared.get(movement);
  if (known !== undefined) return known;
  const {
    amount,
    counterparty,
    created_at,
    merchant = "",
    nickname = "",
    note = "",
    reference,
  } = movement as NamedMovement;
  const made = {
    text: foldText(`${nickname} ${merchant} ${counterparty} ${note}`),
    reference: foldReference(reference.toLowerCase()),
    amount: amount.toFixed(2),
    month: monthOf(created_at),
  };
  prepared.set(movement, made);
  return made;
}

function monthOf(instant: string): string {
  return dayKey(instant).slice(0, 7);
}

function matches(movement: Movement, words: readonly string[]): boolean {
  const { amount, reference, text } = foundBy(movement);
  return words.every((word) => {
    if (text.includes(word) || word === movement.currency.toLowerCase()) return true;
    const sought = soughtAmount(word);
    if (sought !== undefined && amount.startsWith(sought)) return true;
    const folded = foldReference(word);
    return folded.length >= REFERENCE_PART && reference.includes(folded);
  });
}

/**
 * Returns the movements that fit a filter, in the order of the list; each word of its text must match the counterparty,
 * merchant, note, reference, amount or currency.
 */
export function filterMovements(
  movements: readonly Movement[],
  { direction, kind, month, text }: MovementFilter,
): readonly Movement[] {
  const words = foldText(text.replace(/\$\s+/g, "$"))
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "$");
  return movements.filter((movement) => {
    if (direction !== "all" && movement.direction !== direction) return false;
    if (kind !== "" && movement.kind !== kind) return false;
    if (month !== "" && foundBy(movement).month !== month) return false;
    return words.length === 0 || matches(movement, words);
  });
}

/** The movements of one list that fit its filter: the same ones while neither changes, so that no row is drawn anew. */
export class FittingMovements {
  #fitting: readonly Movement[] = [];
  #given: readonly [readonly Movement[], MovementFilter] | undefined;

  /** Returns the movements of a list that fit a filter, as {@link filterMovements} does. */
  of(...given: readonly [readonly Movement[], MovementFilter]): readonly Movement[] {
    if (given.some((one, index) => one !== this.#given?.[index])) this.#fitting = filterMovements(...given);
    this.#given = given;
    return this.#fitting;
  }
}

/** Returns the months (`2026-03`) of a list's movements, each once and in the list's order, so newest first. */
export function monthsOf(movements: readonly Movement[]): readonly string[] {
  return [...new Set(movements.map((movement) => foundBy(movement).month))];
}

/** Returns the kinds of a list's movements, each once. */
export function kindsOf(movements: readonly Movement[]): readonly Movement["kind"][] {
  return [...new Set(movements.map(({ kind }) => kind))];
}
