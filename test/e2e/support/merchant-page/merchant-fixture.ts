import { rolldown } from "rolldown";
import { type Client, createClient } from "../../../../src/client.ts";
import { personContract } from "../../../../src/contract/broker/broker.ts";
import type { MerchantWithKeys } from "../../../../src/contract/broker/operator-merchants.ts";
import type { ServiceContract } from "../../../../src/contract/service/service.ts";
import { runCommand } from "../../../support/run-command.ts";
import { environmentOf, freePort, type Product } from "../product.ts";
import { MerchantShop } from "./merchant-shop.ts";
import { FOREIGN_LIT } from "./shop-scripts.ts";

/** Names that are markup, of every party that names itself: the cards must show them as they are written. */
export const HOSTILE = Object.freeze({
  payee: "<img src=x onerror=hacked=1> & Hijos",
  seller: `"><script>hacked=2</script>`,
  customer: "<svg onload=hacked=3>Luz</svg>",
});

/** Bundles a copy of Lit as a shop does for itself, with its own Trusted Types policy. */
async function foreignLit(): Promise<string> {
  const entry = "\0shop";
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [
      {
        name: "shop:entry",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? FOREIGN_LIT : undefined),
      },
    ],
    resolve: { modules: [new URL("../../../../node_modules", import.meta.url).pathname] },
  });
  const { output } = await bundle.generate({ format: "es", codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

/** Signs a demo person in; returns their client of the broker's API. */
async function personOf({ origin }: Product, person: string): Promise<Client<typeof personContract>> {
  const response = await fetch(`${origin}/v1/demo/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-cupo-request": "1" },
    body: JSON.stringify({ person }),
  });
  const cookie = response.headers.get("set-cookie")?.split(";", 1)[0];
  if (cookie === undefined) throw new Error(`nobody was signed in: ${response.status}`);
  const headers = () => ({ cookie, "x-cupo-request": "1" });
  return createClient(personContract, { baseUrl: origin, headers });
}

/** A merchant of another origin than the broker's, with its shop, and Ana who pays there. */
export class MerchantFixture {
  readonly shop: MerchantShop;
  readonly merchant: MerchantWithKeys;
  /** The id of the grant by which this merchant sees Ana's quota. */
  readonly grant: string;
  /** A customer who is named by markup. */
  readonly customerId: string;
  readonly #ana: Client<typeof personContract>;
  readonly #environment: Record<string, string>;

  private constructor(
    made: Pick<MerchantFixture, "shop" | "merchant" | "grant" | "customerId">,
    product: Product,
    ana: Client<typeof personContract>,
  ) {
    [this.shop, this.merchant] = [made.shop, made.merchant];
    [this.grant, this.customerId] = [made.grant, made.customerId];
    this.#ana = ana;
    this.#environment = environmentOf(product.place);
  }

  /** Makes the merchant as an operator does at the terminal, and has Ana grant it access to her quota. */
  static async make(product: Product, service: Client<ServiceContract>): Promise<MerchantFixture> {
    const scripts = { "foreign-lit.js": await foreignLit() };
    const shop = await MerchantShop.listen({ broker: product.origin, port: await freePort(), scripts });
    const user = (name: string, nit: string, phone: string) =>
      service.createUser({ body: { name, nit, phone, quota: 500_000 } });
    const [{ body: payee }, { body: customer }] = [
      await user(HOSTILE.payee, "900777001-1", "3017770001"),
      await user(HOSTILE.customer, "900777002-2", "3017770002"),
    ];
    const names = ["--name", HOSTILE.seller, "--user-id", payee.id, "--origin", shop.origin];
    const words = ["merchant", "create", ...names, "--open-amount-limit", "30000", "--sells-top-ups", "--json"];
    const { code, out, err } = await runCommand(words, environmentOf(product.place));
    if (code !== 0) throw new Error(`no merchant was made: ${err}`);
    const merchant = JSON.parse(out) as MerchantWithKeys;
    shop.use(merchant.server_key ?? "");
    const ana = await personOf(product, "payer");
    const { id: grant } = (await ana.createGrant({ body: { merchant_id: merchant.id, proof: { demo: true } } })).body;
    return new MerchantFixture({ shop, merchant, grant, customerId: customer.id }, product, ana);
  }

  /** Pays a scanned code as Ana, in the way of the app; returns payee, amount and state. */
  async pay(payload: string): Promise<{ readonly payee: string; readonly amount: number; readonly state: string }> {
    const { id, payee, amount, reference } = (await this.#ana.openApproval({ body: { payload } })).body;
    const body = { payee, amount, ...(reference && { reference }), demo: true as const };
    const { state } = (await this.#ana.confirmApproval({ params: { id }, body })).body;
    return { payee, amount, state };
  }

  /** Has the operator mark the merchant as first-party. */
  async becomeFirstParty(): Promise<void> {
    const { code, err } = await runCommand(
      ["merchant", "change", this.merchant.id, "--first-party"],
      this.#environment,
    );
    if (code !== 0) throw new Error(`the merchant was not changed: ${err}`);
  }
}
