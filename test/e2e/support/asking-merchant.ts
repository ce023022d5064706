import { AppBrowser, type EnrolmentLink } from "../../attacks/support/app-browser.ts";
import { runCommand } from "../../support/run-command.ts";
import { environmentOf, type Product } from "./product.ts";

/** A merchant with a pending request to sell with a user's quota, and the second admin who may agree. */
export interface AskingMerchant {
  readonly id: string;
  readonly changeId: string;
  readonly second: AppBrowser;
}

async function anAdmin({ place, origin }: Product, name: string): Promise<AppBrowser> {
  const args = ["operator", "create", "--name", name, "--role", "admin", "--json"];
  const { code, out, err } = await runCommand(args, environmentOf(place));
  if (code !== 0) throw new Error(`no operator: ${err}`);
  const admin = new AppBrowser(origin);
  const { status } = await admin.enrol(JSON.parse(out) as EnrolmentLink);
  if (status !== 200) throw new Error(`the operator was not enrolled: ${status}`);
  return admin;
}

/** Has one of two admins ask that a new merchant may sell top-ups with a user's quota. */
export async function askToSell(product: Product, userId: string, name: string): Promise<AskingMerchant> {
  const [first, second] = [await anAdmin(product, "Olga"), await anAdmin(product, "Oscar")];
  const body = { name, user_id: userId, origins: ["https://caja.example"], sells_top_ups: true };
  const made = await first.post("/v1/operator/merchants", body);
  if (made.status !== 201) throw new Error(`no merchant: ${made.status} ${JSON.stringify(made.body)}`);
  return { id: made.body.id, changeId: made.body.change.id, second };
}
