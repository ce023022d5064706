import { describe, expect, it } from "vitest";
import { endedSessionCookie, readSessionCookie, sessionCookie } from "./session-cookie.ts";

const PUBLIC = { publicOrigin: "https://pay.example" };
const LOCAL = { publicOrigin: "http://localhost:4000" };

describe("the session cookie", () => {
  it("is kept for this host alone and sent over TLS only", () => {
    const attributes = "Path=/; HttpOnly; SameSite=Strict; Secure";
    expect(sessionCookie(PUBLIC, "si_1")).toBe(`__Host-cupo-session=si_1; ${attributes}; Max-Age=7776000`);
    expect(endedSessionCookie(PUBLIC)).toBe(`__Host-cupo-session=; ${attributes}; Max-Age=0`);
  });

  it("needs no TLS on this machine without it: Safari would not keep it", () => {
    const attributes = "Path=/; HttpOnly; SameSite=Strict";
    expect(sessionCookie(LOCAL, "si_1")).toBe(`cupo-session=si_1; ${attributes}; Max-Age=7776000`);
    expect(endedSessionCookie(LOCAL)).toBe(`cupo-session=; ${attributes}; Max-Age=0`);
  });

  it("is read by the name that it was given: a page without TLS plants none in a broker with it", () => {
    const headers = new Headers({ cookie: "a=1; cupo-session=si_planted; __Host-cupo-session=si_own" });
    expect(readSessionCookie(PUBLIC, headers)).toBe("si_own");
    expect(readSessionCookie(LOCAL, headers)).toBe("si_planted");
  });

  it("that is sent twice is none", () => {
    const headers = new Headers({ cookie: "__Host-cupo-session=si_1; __Host-cupo-session=si_2" });
    expect(readSessionCookie(PUBLIC, headers)).toBeUndefined();
  });
});
