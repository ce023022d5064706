import { type ConfirmPlace, isConfirmPlace } from "./payment/confirm-place.ts";
import type { Place } from "./router.ts";

/** Where somebody was when the welcome came between; kept in the welcome's place of the history. */
interface Wanted {
  readonly wanted: string;
  /** What Confirm had been handed: no address carries its code. */
  readonly handed?: ConfirmPlace;
  /** Who it was, where somebody was signed in. */
  readonly personId?: string;
}

/** What to open after the welcome. */
interface Return {
  readonly path: string;
  readonly state: ConfirmPlace | null;
  /** Whether it is the same person that comes back, to whom alone an attempt under way belongs. */
  readonly samePerson: boolean;
}

/** Notes a place with its fragment, which carries the code of a QR link, and with what it was handed. */
export function wantedAt({ path, fragment, state }: Place, personId?: string): Wanted {
  return {
    wanted: fragment === "" ? path : `${path}#${fragment}`,
    ...(isConfirmPlace(state) ? { handed: state } : {}),
    ...(personId === undefined ? {} : { personId }),
  };
}

/** Where to go on for whoever has signed in; another person gets the code, and not the attempt to pay it. */
export function returnFrom(state: unknown, personId: string | undefined): Return {
  const kept = (state ?? {}) as Partial<Record<keyof Wanted, unknown>>;
  const samePerson = personId !== undefined && kept.personId === personId;
  const path = typeof kept.wanted === "string" && kept.wanted.startsWith("/") ? kept.wanted : "/";
  if (!isConfirmPlace(kept.handed)) return { path, state: null, samePerson };
  return { path, state: samePerson ? kept.handed : { code: kept.handed.code }, samePerson };
}
