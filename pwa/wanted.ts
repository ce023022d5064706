import { type ConfirmPlace, isConfirmPlace } from "./payment/confirm-place.ts";
import type { Place } from "./router.ts";

/** Where somebody was when the welcome came between; kept in the welcome's place of the history. */
interface Wanted {
  readonly wanted: string;
  /** What Confirm had been handed: no address carries its code. */
  readonly handed?: ConfirmPlace;
  /** Key of what was being approved there: it may have been sent. */
  readonly attempt?: string;
  /** Who it was, where somebody was signed in. */
  readonly personId?: string;
}

/** What to open after the welcome. */
interface Return {
  readonly path: string;
  readonly state: ConfirmPlace | { readonly attempt: string } | null;
  /** Whether it is the same person that comes back, to whom alone an attempt under way belongs. */
  readonly samePerson: boolean;
}

/** The key of what was being approved at a place; undefined where nothing was. */
export function attemptIn(state: unknown): string | undefined {
  const { attempt } = (state ?? {}) as { readonly attempt?: unknown };
  return typeof attempt === "string" ? attempt : undefined;
}

/**
 * Notes a place with its fragment, which carries the code of a QR link, and with what it was handed. Whoever went there
 * is known also once they are signed out; else it is of whoever is signed in.
 */
export function wantedAt({ path, fragment, state, personId: owner }: Place, signedIn?: string): Wanted {
  const personId = owner ?? signedIn;
  const attempt = attemptIn(state);
  return {
    wanted: fragment === "" ? path : `${path}#${fragment}`,
    ...(isConfirmPlace(state) ? { handed: state } : {}),
    ...(attempt === undefined ? {} : { attempt }),
    ...(personId === undefined ? {} : { personId }),
  };
}

/**
 * Where to go on for whoever has signed in; another person starts at Home. A code that was opened while nobody was
 * signed in is for whoever signs in.
 */
export function returnFrom(state: unknown, personId: string | undefined): Return {
  const kept = (state ?? {}) as Partial<Record<keyof Wanted, unknown>>;
  const samePerson = personId !== undefined && kept.personId === personId;
  // What somebody else had scanned or opened is theirs.
  const isAnothers = personId !== undefined && typeof kept.personId === "string" && !samePerson;
  if (isAnothers) return { path: "/", state: null, samePerson };
  const path = typeof kept.wanted === "string" && kept.wanted.startsWith("/") ? kept.wanted : "/";
  if (!isConfirmPlace(kept.handed)) {
    const attempt = attemptIn(state);
    return { path, state: samePerson && attempt !== undefined ? { attempt } : null, samePerson };
  }
  return { path, state: samePerson ? kept.handed : { code: kept.handed.code }, samePerson };
}
