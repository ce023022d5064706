import { describe, expect, it } from "vitest";
import type { Place } from "../platform/router.ts";
import { destinationAfter, returnPlaceAt } from "./return-place.ts";

const ANA = "0190e1f0-0000-7000-8000-000000000001";
const BEN = "0190e1f0-0000-7000-8000-000000000002";
const code = { reference: "7K3M9QXT2V4FW" };

function confirm(state: unknown, fragment = ""): Place {
  return { page: "confirm", path: "/confirm", fragment, state };
}

describe("what was wanted before the welcome", () => {
  it("brings the same person back to the code and to the attempt under way", () => {
    const wanted = returnPlaceAt(confirm({ code, attempt: "key" }), ANA);
    expect(destinationAfter(wanted, ANA)).toEqual({
      path: "/confirm",
      state: { code, attempt: "key" },
      samePerson: true,
    });
  });

  it("gives another person nothing of it", () => {
    const wanted = returnPlaceAt(confirm({ code, attempt: "key" }), ANA);
    expect(destinationAfter(wanted, BEN)).toEqual({ path: "/", state: null, samePerson: false });
  });

  it("is the person's who went there, also once they have signed out", () => {
    const wanted = returnPlaceAt({ ...confirm({ code, attempt: "key" }), personId: ANA });
    expect(destinationAfter(wanted, BEN)).toEqual({ path: "/", state: null, samePerson: false });
    expect(destinationAfter(wanted, ANA)).toMatchObject({ path: "/confirm", samePerson: true });
  });

  it("takes nobody for the same person when it was not known who it was", () => {
    const wanted = returnPlaceAt(confirm({ code, attempt: "key" }));
    expect(destinationAfter(wanted, ANA)).toEqual({ path: "/confirm", state: { code }, samePerson: false });
    expect(destinationAfter(wanted, undefined).samePerson).toBe(false);
  });

  it("keeps the code of a QR link in the address", () => {
    const wanted = returnPlaceAt({ page: "confirm", path: "/p", fragment: "000201", state: null });
    expect(destinationAfter(wanted, ANA)).toEqual({ path: "/p#000201", state: null, samePerson: false });
  });

  it("keeps what was being approved for the same person alone", () => {
    const wanted = returnPlaceAt(
      { page: "transfer", path: "/transfer", fragment: "", state: { attempt: "key-1" } },
      ANA,
    );
    expect(destinationAfter(wanted, ANA)).toEqual({ path: "/transfer", state: { attempt: "key-1" }, samePerson: true });
    expect(destinationAfter(wanted, `${ANA}0`)).toMatchObject({ state: null, samePerson: false });
  });

  it.each([null, undefined, "text", {}, { path: 7 }, { path: "https://elsewhere.example" }, { handed: { code } }])(
    "leads from %j to the start or to nothing but a code",
    (state) => {
      expect(destinationAfter(state, ANA).path).toBe("/");
    },
  );
});
