import { QrKeys } from "../../src/contract/broker/broker-answers.ts";
import { fits } from "../../src/contract/shared/validate.ts";
import type { Api } from "../platform/api.ts";

const PLACE = "cupo.qr-keys";

/** The scheme's name where no key list has arrived yet: the default of a deployment. */
const DEFAULT_GUID = "co.qp";

/** The public keys of payment codes, kept on the device so that a code can be verified without a network. */
export class QrKeyStore {
  readonly #api: Pick<Api, "qrKeys">;
  readonly #storage: Storage;

  constructor(api: Pick<Api, "qrKeys">, storage: Storage) {
    this.#api = api;
    this.#storage = storage;
  }

  /** The list as last fetched; undefined before the first fetch, or when the stored value is not a list any more. */
  get kept(): QrKeys | undefined {
    const text = this.#storage.getItem(PLACE);
    if (text === null) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      return fits(QrKeys, value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  /** The GUID by which a code of this service is distinguished from a foreign one. */
  get guid(): string {
    return this.kept?.guid ?? DEFAULT_GUID;
  }

  /** Fetches the list and keeps it. */
  async refresh(): Promise<void> {
    const { body } = await this.#api.qrKeys({});
    this.#storage.setItem(PLACE, JSON.stringify(body));
  }
}
