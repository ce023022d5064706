import { afterEach, describe, expect, it } from "vitest";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { holdRequest } from "../../test/support/held-request.ts";
import { asA, post, sampleApp } from "../../test/support/sample-http-app.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { type Listening, listen } from "./listen.ts";

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(1_000)));
});

const thing = { name: "one", amount: 5 };

/** An app that counts how often callers were authenticated, each as another entity than the time before. */
async function start(mayStillCall: () => boolean = () => true) {
  const counted = { times: 0 };
  const { app, seen, clock } = sampleApp({
    authenticate: () => {
      counted.times += 1;
      if (!mayStillCall()) throw new ApiError("unauthorized");
      return { entity: `seen-${counted.times}` };
    },
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => "made" });
  open.push(server);
  return { counted, seen, clock, url: `http://127.0.0.1:${server.port}/create-thing` };
}

describe("a request", () => {
  it("whose body comes at once is authenticated once", async () => {
    const { counted, url } = await start();
    expect((await fetch(url, post(JSON.stringify(thing)))).status).toBe(201);
    expect(counted.times).toBe(1);
  });

  it("whose body comes late is carried out for whom it is from by then", async () => {
    const { seen, clock, url } = await start();
    const held = await holdRequest(url, { headers: asA, body: thing });
    expect(seen).toEqual([]);
    clock.ms += 500;
    expect((await held.finish()).status).toBe(201);
    expect(seen).toMatchObject([{ principal: { entity: "seen-2" } }]);
  });

  it("whose body comes after its caller was shut out reaches no handler", async () => {
    let isShutOut = false;
    const { seen, clock, url } = await start(() => !isShutOut);
    const held = await holdRequest(url, { headers: asA, body: thing });
    isShutOut = true;
    clock.ms += 500;
    expect(await held.finish()).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    expect(seen).toEqual([]);
  });
});
