import { describe, expect, it } from "vitest";
import { appOrigin, relyingParty } from "./relying-party.ts";

const answered = (origin: string) => ({
  response: { clientDataJSON: Buffer.from(JSON.stringify({ origin })).toString("base64url") },
});

describe("the relying party", () => {
  it("is the host without the port, and exactly the public origin, whatever a browser says", () => {
    const party = { id: "pay.example", origin: "https://pay.example:8443" };
    expect(relyingParty("https://pay.example:8443")).toEqual(party);
    expect(relyingParty("https://pay.example:8443", answered("https://pay.example"))).toEqual(party);
    expect(appOrigin("https://pay.example", "https://evil.example")).toBe("https://pay.example");
  });

  it("has any port of its own host where the system chose the port, and no other host or scheme", () => {
    const of = (origin: string) => relyingParty("http://localhost:0", answered(origin)).origin;
    expect(of("http://localhost:49152")).toBe("http://localhost:49152");
    for (const other of ["http://evil.example:49152", "https://localhost:49152", "nonsense"]) {
      expect(of(other)).toBe("http://localhost:0");
    }
    expect(appOrigin("http://localhost:0", "http://localhost:49152")).toBe("http://localhost:49152");
  });
});
