import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aPlace, environmentOf, Product } from "../e2e/support/product.ts";
import { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { ROOT, Target } from "./support/target.ts";

/** Acts as `proxy_pass http://localhost:PORT` of a current nginx: HTTP/1.1, the upstream's `Host`, no other header. */
function proxyTo(port: number): Promise<Server> {
  const forward = (asked: IncomingMessage, answer: ServerResponse): void => {
    const headers = { ...asked.headers, host: `localhost:${port}` };
    const passed = request({ port, host: "localhost", path: asked.url, method: asked.method, headers }, (upstream) => {
      answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(answer);
    });
    asked.pipe(passed);
  };
  const server = createServer(forward);
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

describe("rule 21: the demo opens nothing but itself", () => {
  let target: Target;
  let proxy: Server;
  let outside: string;
  beforeAll(async () => {
    target = await Target.start();
    proxy = await proxyTo(target.product.place.port);
    outside = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    proxy?.close();
    await target?.remove();
  });

  attack("whoever comes through a plain proxy is the demo's admin by a button", async () => {
    const stranger = new AppBrowser(outside);
    await stranger.post("/v1/demo/sign-in", { person: "operator" });
    const { status } = await stranger.get("/v1/operator/merchants");
    expect(status).toBe(401);
  });

  attack("whoever comes through a plain proxy reads the metrics", async () => {
    const { body } = await new HttpCaller(outside, () => ({})).get("/metrics");
    expect(body).not.toContain("process_cpu_seconds_total");
  });

  attack("the operator's link of the demo changes merchants without saying admin", async () => {
    const browser = new AppBrowser(target.origin);
    const { pathname, search } = new URL(target.product.demo.operator.sign_in_url);
    await browser.get(`${pathname}${search}`);
    const made = await browser.post("/v1/operator/merchants", {
      name: "A shop in her name",
      user_id: target.product.demo.users.payer.id,
    });
    expect(made.status).toBe(403);
  });

  it("still signs its people in by one press on this machine, and the operator by the secret link", async () => {
    const ana = new AppBrowser(target.origin);
    expect((await ana.post("/v1/demo/sign-in", { person: "payer" })).status).toBe(200);
    const browser = new AppBrowser(target.origin);
    const { pathname, search } = new URL(target.product.demo.operator.sign_in_url);
    await browser.get(`${pathname}${search}`);
    expect((await browser.get("/v1/operator/merchants")).status).toBe(200);
  });
});

describe("rule 21: the demo and the rest of the world", () => {
  attack("the demo starts behind a public origin", async () => {
    const place = await aPlace();
    const environment = { CUPO_DEMO: "on", CUPO_PUBLIC_ORIGIN: "https://pay.example" };
    const started = await Product.start(place, { environment, root: ROOT }).catch(() => undefined);
    await started?.stop();
    await place.folder.remove();
    expect(started === undefined ? "refused" : "started").toBe("refused");
  });

  attack("keys of the demo go on after it was turned off", async () => {
    const place = await aPlace();
    const first = await Product.start(place, { root: ROOT });
    const { demo } = first;
    await first.stop();
    const second = await Product.start(place, {
      environment: { ...environmentOf(place), CUPO_DEMO: "off" },
      root: ROOT,
    });
    const token = await EntityCaller.of(demo.auth_url, demo).then(
      () => "a token",
      () => "none",
    );
    const headers = () => ({ authorization: `Bearer ${demo.merchant_keys.server_key}` });
    const session = { kind: "pay", amount: 1_000, origin: second.origin };
    const { status } = await new HttpCaller(second.origin, headers).post("/v1/sessions", session);
    await second.remove();
    expect([token, status]).toEqual(["none", 401]);
  });
});
