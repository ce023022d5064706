import type { Place } from "../platform/router.ts";
import { type ConfirmPlace, isConfirmPlace } from "./confirm-place.ts";

/** The place that the welcome page interrupted; kept in the welcome page's history entry. */
interface ReturnPlace {
  readonly path: string;
  /** The state that was handed to Confirm: no address carries its code. */
  readonly handed?: ConfirmPlace;
  /** Idempotency key of the approval in progress there: it may have been sent. */
  readonly attempt?: string;
  /** The person who was signed in, if any. */
  readonly personId?: string;
}

/** The place to open after the welcome page. */
interface Destination {
  readonly path: string;
  readonly state: ConfirmPlace | { readonly attempt: string } | null;
  /** True if the same person comes back: an attempt in progress belongs to them alone. */
  readonly samePerson: boolean;
}

/**
 * Returns the idempotency key of the approval in progress, from the state of a history entry; undefined if there is
 * none.
 */
export function attemptIn(state: unknown): string | undefined {
  const { attempt } = (state ?? {}) as { readonly attempt?: unknown };
  return typeof attempt === "string" ? attempt : undefined;
}

/**
 * Returns the place to come back to after the welcome page: the path with its fragment, which carries the code of a QR
 * link, and the state. It belongs to the person who opened it, even after their sign-out; else to the signed-in person.
 */
export function returnPlaceAt({ path, fragment, state, personId: owner }: Place, signedIn?: string): ReturnPlace {
  const personId = owner ?? signedIn;
  const attempt = attemptIn(state);
  return {
    path: fragment === "" ? path : `${path}#${fragment}`,
    ...(isConfirmPlace(state) ? { handed: state } : {}),
    ...(attempt === undefined ? {} : { attempt }),
    ...(personId === undefined ? {} : { personId }),
  };
}

/**
 * Returns the place to continue at after a sign-in; another person starts at Home. A code that was opened while nobody
 * was signed in is for the next person who signs in.
 */
export function destinationAfter(state: unknown, personId: string | undefined): Destination {
  const kept = (state ?? {}) as Partial<Record<keyof ReturnPlace, unknown>>;
  const samePerson = personId !== undefined && kept.personId === personId;
  // A code that another person scanned or opened is not handed over.
  const isAnothers = personId !== undefined && typeof kept.personId === "string" && !samePerson;
  if (isAnothers) return { path: "/", state: null, samePerson };
  const path = typeof kept.path === "string" && kept.path.startsWith("/") ? kept.path : "/";
  if (!isConfirmPlace(kept.handed)) {
    const attempt = attemptIn(state);
    return { path, state: samePerson && attempt !== undefined ? { attempt } : null, samePerson };
  }
  return { path, state: samePerson ? kept.handed : { code: kept.handed.code }, samePerson };
}
