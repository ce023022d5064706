import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, type TestBroker } from "../../../test/support/broker.ts";
import type { Authenticator } from "../access/authenticator.ts";
import type { AuthenticationMethod, PersonPrincipal } from "../access/principal.ts";
import { createPasskeyAuthenticator } from "../people/account/passkey-authenticator.ts";
import { createDemoAuthenticator } from "./demo-authenticator.ts";

let broker: TestBroker;
let passkeys: Authenticator;
let demo: Authenticator;
let personId: string;
beforeAll(async () => {
  broker = await aBroker();
  passkeys = createPasskeyAuthenticator(broker.options);
  demo = createDemoAuthenticator(passkeys, broker.options.newId);
  const [payer] = await broker.sql<{ id: string }[]>`select id from broker.people where demo_name = 'payer'`;
  personId = payer?.id ?? "";
});
afterAll(() => broker.stop());

/** A person whose session has a method. */
function signedInBy(method: AuthenticationMethod): PersonPrincipal {
  return { kind: "person", personId, userId: broker.ana.id, method, sessionHash: new Uint8Array() };
}

const request = { method: "button", challenge: new Uint8Array(32) } as const;
const press = { demo: true } as const;

describe("the button", () => {
  it("approves and proves for a session that the demo began", async () => {
    const person = signedInBy("button");
    expect(await demo.checkApprover(person, request, press)).toMatchObject({ facts: {} });
    expect(await demo.startProof(person, "grant")).toMatchObject({ method: "button" });
    expect(await demo.useProof(person, "grant", press)).toEqual({ facts: { demo: true } });
  });

  it.each([
    ["in the demo for a session with a passkey", () => demo, "passkey"],
    ["without the demo", () => passkeys, "button"],
  ] as const)("does neither %s", async (_, which, method) => {
    const person = signedInBy(method);
    await expect(which().checkApprover(person, request, press)).rejects.toMatchObject({ code: "not_allowed" });
    await expect(which().useProof(person, "grant", press)).rejects.toMatchObject({ code: "passkey_refused" });
    expect(await which().startProof(person, "grant")).toMatchObject({ method: "passkey" });
  });

  it("stands in for no passkey where an approval asks for one", async () => {
    const asked = { ...request, method: "passkey" } as const;
    const person = signedInBy("button");
    await expect(demo.checkApprover(person, asked, press)).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("begins sessions that live in the demo alone", () => {
    expect([demo.methods, passkeys.methods]).toEqual([["passkey", "button"], ["passkey"]]);
  });
});
