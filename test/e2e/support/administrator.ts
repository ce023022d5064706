import { type CupoClient, createCupoClient } from "../../../src/cupo-client.ts";
import { runCommand } from "../../support/run-command.ts";
import { environmentOf, type Product } from "./product.ts";

/** A client of the demo's entity that may set up webhooks, made beside it by the command. */
export async function anAdministrator({ place, demo }: Product): Promise<CupoClient> {
  const create = ["client", "create", "--entity", "Cupo", "--scope", "read administration", "--json"];
  const { out } = await runCommand(create, { ...environmentOf(place) });
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(out) as Record<string, string>;
  return createCupoClient({
    baseUrl: demo.base_url,
    clientId: clientId ?? "",
    clientSecret: clientSecret ?? "",
  });
}
