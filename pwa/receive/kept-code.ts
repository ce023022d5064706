import type { OwnQr } from "../../src/contract/broker/broker.ts";

/** Storage key of the person's own code without an amount; it goes when they leave the device. */
const OWN_CODE = "cupo.own-code";

interface Kept {
  readonly personId: string;
  readonly qr: OwnQr;
}

function isKept(value: unknown): value is Kept {
  const { personId, qr } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  const texts = ["payload", "app_link", "check_code"] satisfies (keyof OwnQr)[];
  if (typeof personId !== "string" || typeof qr !== "object" || qr === null) return false;
  return texts.every((name) => typeof (qr as Record<string, unknown>)[name] === "string");
}

/**
 * The person's own code without an amount, as the broker last made it: it never expires, and so is shown at once, also
 * without a connection.
 */
export class KeptCode {
  readonly #storage: Pick<Storage, "getItem" | "setItem">;

  constructor(storage: Pick<Storage, "getItem" | "setItem">) {
    this.#storage = storage;
  }

  /** Returns the code of a person; undefined where none of theirs is kept. */
  of(personId: string | undefined): OwnQr | undefined {
    let kept: unknown;
    try {
      kept = JSON.parse(this.#storage.getItem(OWN_CODE) ?? "null");
    } catch {
      return undefined;
    }
    return isKept(kept) && kept.personId === personId ? kept.qr : undefined;
  }

  /** Keeps the code of a person in place of another. */
  keep(personId: string, qr: OwnQr): void {
    this.#storage.setItem(OWN_CODE, JSON.stringify({ personId, qr } satisfies Kept));
  }
}
