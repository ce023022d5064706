import { afterAll, beforeAll, expect, it } from "vitest";
import { holdRequest } from "../../../test/support/held-request.ts";
import { aListeningService, type ListeningService } from "../../../test/support/listening-service.ts";

let service: ListeningService;
beforeAll(async () => {
  service = await aListeningService();
});
afterAll(() => service.stop());

it("a request that was held until its API client was disabled is refused", async () => {
  const entity = await service.anEntity();
  const headers = { authorization: `Bearer ${await entity.accessToken()}` };
  const user = { name: "Held", nit: "900000001", phone: "3001234567" };
  const held = await holdRequest(`${service.baseUrl}/create-user`, { headers, body: user });
  await service.sql`update service.api_clients set disabled_at = ${service.clock()} where id = ${entity.clientId}`;
  service.advance(60);
  expect(await held.finish()).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  expect(await service.sql`select from service.accounts`).toHaveLength(0);
});
