import type { ReactiveControllerHost } from "lit";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { KnownMovements, type Shown } from "../lists/known-movements.ts";
import type { Store } from "../store/store.ts";
import { type Nicknames, nameMovements } from "./nicknames.ts";

/** The movements that a page shows, their counterparties named as the person knows them; a filter finds both names. */
export class NamedMovements extends KnownMovements {
  readonly #nicknames: Nicknames;
  #namedOf: readonly unknown[] = [];
  #named: readonly Movement[] | undefined;

  constructor(host: ReactiveControllerHost, store: Store, nicknames: Nicknames, shown?: Shown) {
    super(host, store, shown);
    this.#nicknames = nicknames;
  }

  override get movements(): readonly Movement[] | undefined {
    const [known, names] = [super.movements, this.#nicknames.all];
    if (this.#namedOf[0] !== known || this.#namedOf[1] !== names) {
      this.#namedOf = [known, names];
      this.#named = known && nameMovements(known, names);
    }
    return this.#named;
  }
}
