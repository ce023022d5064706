import { afterEach, expect, it, vi } from "vitest";
import { NoAnswerError } from "../../src/client.ts";
import { type Api, createApi } from "./api.ts";

const APP = "https://app.example";

let isAttended = true;
let personId: string | undefined;

afterEach(() => {
  vi.unstubAllGlobals();
  isAttended = true;
  personId = undefined;
});

/** The app's client of a broker stub that answers every call alike, the requests, and the callbacks that ran. */
function asked(status: number, document: object): { api: Api; requests: Request[]; heard: string[] } {
  const requests: Request[] = [];
  const heard: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(request);
    return Response.json(document, { status });
  });
  const api = createApi({
    origin: APP,
    onSignedOut: () => heard.push("signed out"),
    onOperator: () => heard.push("operator"),
    attended: () => isAttended,
    personId: () => personId,
    onAnotherPerson: () => heard.push("another person"),
  });
  return { api, requests, heard };
}

it("a row of the first page and one that is fetched later are called alike", async () => {
  const { api, requests } = asked(200, { signed_in: false });
  await api.signOut({});
  await expect(api.mySessions({})).rejects.toThrow("mySessions: the answer does not fit");
  expect(requests.map(({ url, headers }) => [url, headers.get("x-cupo-request")])).toEqual([
    [`${APP}/v1/sign-out`, "1"],
    [`${APP}/v1/me/sessions`, "1"],
  ]);
});

it("a 401 to any call tells that nobody is signed in, before its caller hears of it", async () => {
  const { api, heard } = asked(401, { code: "unauthorized" });
  const told = async (call: Promise<unknown>) => {
    await call.catch((error: { code: string }) => heard.push(error.code));
  };
  await told(api.myHistory({ query: {} }));
  await told(api.myDevices({}));
  expect(heard).toEqual(["signed out", "unauthorized", "signed out", "unauthorized"]);
});

it("a 401 to a request that left before another tab signed in means only that it was not answered", async () => {
  const { api, heard, requests } = asked(200, {});
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(request);
    return requests.length === 1 ? Response.json({ code: "unauthorized" }, { status: 401 }) : Response.json({});
  });
  await expect(api.myHistory({ query: {} })).rejects.toBeInstanceOf(NoAnswerError);
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(["/v1/me/history", "/v1/me"]);
  expect(heard).toEqual([]);
});

it("whoever is there without being a person is an operator, and a thing that is not there means nothing", async () => {
  const { api, heard } = asked(404, { code: "not_found" });
  await expect(api.demoPeople({})).rejects.toThrow();
  expect(heard).toEqual([]);
  await expect(api.me({})).rejects.toThrow();
  expect(heard).toEqual(["operator"]);
});

it("what the app asks while nobody is at the device is no activity of the person", async () => {
  const { api, requests } = asked(200, []);
  await api.myHistory({ query: {} });
  isAttended = false;
  await api.myHistory({ query: {} });
  expect(requests.map(({ headers }) => headers.get("x-cupo-polling"))).toEqual([null, "1"]);
});

it("each request says whom the tab shows, and hears when the browser is somebody else's by now", async () => {
  personId = "01890a5d-ac96-774b-bcce-b302099a8057";
  const { api, requests, heard } = asked(409, { code: "another_person" });
  await expect(api.myHistory({ query: {} })).rejects.toMatchObject({ code: "another_person" });
  expect([requests[0]?.headers.get("x-cupo-person"), heard]).toEqual([personId, ["another person"]]);
});
