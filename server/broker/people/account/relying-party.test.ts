import { expect, it } from "vitest";
import { relyingParty } from "./relying-party.ts";

it("the relying party is the host without the port, and exactly the public origin", () => {
  expect(relyingParty("https://pay.example:8443")).toEqual({ id: "pay.example", origin: "https://pay.example:8443" });
});
