import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { merchantContract, personContract } from "../../src/contract/broker/broker.ts";
import { aPlace, environmentOf, Product } from "../e2e/support/product.ts";
import { npmRun, runCommand } from "../support/run-command.ts";

const SHOP = "https://tienda.example";

let product: Product;
let environment: Record<string, string>;
beforeAll(async () => {
  product = await Product.start(await aPlace());
  environment = environmentOf(product.place);
});
afterAll(() => product?.remove());

function merchantOf(key: string) {
  const headers = () => ({ authorization: `Bearer ${key}` });
  return createClient(merchantContract, { baseUrl: product.origin, headers });
}
const body = { kind: "pay" as const, amount: 25_000, origin: SHOP };

it("npm run merchant makes a merchant of a user beside a running npm start, and its key starts sessions", async () => {
  const { merchant: user } = product.demo.users;
  const names = ["--name", "La Tienda", "--user-id", user.id, "--origin", SHOP];
  const { code, out, err } = await npmRun("merchant", ["create", ...names], environment);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`(${user.id})\n`);
  expect(out).not.toContain("NOT CHECKED");
  expect(out).toContain(`curl ${product.origin}/v1/sessions`);
  const [, id = ""] = /^Merchant: La Tienda \((\S+)\)$/m.exec(out) ?? [];
  const [, key = ""] = /^server_key +(sk_\S+)$/m.exec(out) ?? [];
  expect((await merchantOf(key).createSession({ body })).body.session).toMatch(/^ws_/);

  const listed = await runCommand(["merchant", "list"], environment);
  expect(listed.out).toContain(id);
  expect(listed.out).not.toContain(key.slice(3));
  const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
  const refused = await runCommand(["merchant", "create", "--name", "Nobody", "--user-id", nobody], environment);
  expect(refused).toEqual({ code: 1, out: "", err: `The service has no user with id ${nobody}.\n` });
  const misread = await runCommand(["merchant", "create", "--nit", "1"], environment);
  expect([misread.code, misread.err]).toEqual([2, expect.stringContaining("Usage: npm run merchant -- COMMAND")]);

  await runCommand(["merchant", "disable", id], environment);
  await expect(merchantOf(key).createSession({ body })).rejects.toMatchObject({ code: "unauthorized" });
});

it("npm run operator makes the first admin beside a running npm start, whose link the app knows", async () => {
  const named = ["create", "--name", "Olga", "--role", "admin"];
  const { code, out, err } = await npmRun("operator", named, environment);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [, origin = "", secret = ""] = /^link +(\S+)\/enrol#(en_\S+)$/m.exec(out) ?? [];
  expect(origin).toBe(product.origin);
  expect(out).toMatch(/^code +\d{6}$/m);
  const headers = () => ({ "x-cupo-request": "1" });
  const visitor = createClient(personContract, { baseUrl: product.origin, headers });
  expect((await visitor.enrolment({ body: { secret } })).body).toMatchObject({ name: "Olga", kind: "operator" });
  const listed = await runCommand(["operator", "list"], environment);
  expect(listed.out).not.toContain(secret.slice(3));
});
