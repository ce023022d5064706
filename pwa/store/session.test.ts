import { expect, test, vi } from "vitest";
import { NoAnswerError } from "../../src/client.ts";
import type { Me } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { PersonRemoval } from "./person-removal.ts";
import { Session, type SessionOptions } from "./session.ts";

class MemoryStorage implements Storage {
  [name: string]: unknown;
  readonly #set = (key: string, value: string): void => {
    this[key] = value;
  };

  get length(): number {
    return Object.keys(this).length;
  }
  key(index: number): string | null {
    return Object.keys(this)[index] ?? null;
  }
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null;
  }
  setItem(key: string, value: string): void {
    this.#set(key, value);
  }
  removeItem(key: string): void {
    delete this[key];
  }
  clear(): void {
    for (const key of Object.keys(this)) delete this[key];
  }
}

const person = (id: string): Me => ({ id, name: id, demo: true }) as Me;

/** A device of which only the storages survive a restart, and a broker stub with its signed-in person. */
class Device {
  readonly storage = new MemoryStorage();
  readonly databases = new Set<string>();
  readonly told: string[] = [];
  signedIn: string | undefined;
  online = true;
  /** True if a tab that does not respond blocks every database. */
  blocked = false;
  /** True if the script that deletes a database cannot be loaded. */
  incomplete = false;

  /** Opens the app. */
  start(change: Partial<SessionOptions["api"]> = {}): Session {
    const answer = async (body: () => unknown): Promise<never> => {
      if (!this.online) throw new NoAnswerError("no answer");
      if (this.signedIn === undefined) throw new ApiError("unauthorized");
      return { body: body() } as never;
    };
    const api: SessionOptions["api"] = {
      me: () => answer(() => person(this.signedIn ?? "")),
      signOut: () =>
        answer(() => {
          this.signedIn = undefined;
        }),
      ...change,
    };
    const removal = new PersonRemoval({
      storage: this.storage,
      deleteDatabase: async (personId) => {
        if (this.incomplete) throw new TypeError("no script");
        if (!this.blocked) this.databases.delete(personId);
        return !this.blocked;
      },
      endPush: async () => undefined,
      notifyTabs: (personId) => this.told.push(personId),
    });
    return new Session({ api, storage: this.storage, removal });
  }

  /** Signs a person in and stores their data. */
  async signIn(personId: string): Promise<Session> {
    const session = this.start();
    this.signedIn = personId;
    session.expect();
    await session.refresh();
    this.databases.add(personId);
    return session;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);

test("signing out leaves nothing of the person, and tells the other tabs", async () => {
  const device = new Device();
  device.storage.setItem("cupo.qr-keys", "{}");
  device.storage.setItem("cupo.theme", "dark");
  const session = await device.signIn("ana");
  session.masked = true;
  device.storage.setItem("cupo.sound", "1");
  await session.signOut();
  expect([session.me, session.expected, session.personId]).toEqual([undefined, false, undefined]);
  expect([...device.databases, ...Object.keys(device.storage)]).toEqual(["cupo.qr-keys", "cupo.theme"]);
  expect([device.signedIn, device.told]).toEqual([undefined, ["ana"]]);
});

test("an answer about the person that arrives once they have left brings nothing of them back", async () => {
  const device = new Device();
  await device.signIn("ana");
  const { promise, resolve } = Promise.withResolvers<never>();
  const session = device.start({ me: () => promise });
  const late = session.refresh();
  await session.signOut();
  resolve({ body: person("ana") } as never);
  await expect(late).rejects.toThrow(NoAnswerError);
  expect([session.me, session.expected, ...Object.keys(device.storage)]).toEqual([undefined, false]);
});

test("without a connection nobody is signed out, and nothing is lost", async () => {
  const device = new Device();
  const session = await device.signIn("ana");
  device.online = false;
  await expect(session.signOut()).rejects.toThrow(NoAnswerError);
  expect([session.personId, session.me?.id, [...device.databases]]).toEqual(["ana", "ana", ["ana"]]);
  await device.start().finishLeaving();
  expect(device.start().personId).toBe("ana");
});

test.each([
  ["before the broker hears of it", false],
  ["after the broker has ended the session", true],
])("a tab that is closed while signing out, %s, is finished with at the next start", async (_, ended) => {
  const device = new Device();
  await device.signIn("ana");
  const session = device.start({
    signOut: () => {
      if (ended) device.signedIn = undefined;
      return never();
    },
  });
  void session.signOut();
  const next = device.start();
  await next.finishLeaving();
  expect([next.expected, next.personId, device.signedIn]).toEqual([false, undefined, undefined]);
  expect([...device.databases, ...Object.keys(device.storage)]).toEqual([]);
});

test("another tab of the same person does not keep them signed in", async () => {
  const device = new Device();
  const other = await device.signIn("ana");
  void device.start({ signOut: never }).signOut();
  await other.refresh();
  const next = device.start();
  await next.finishLeaving();
  expect([next.expected, device.signedIn, [...device.databases]]).toEqual([false, undefined, []]);
});

test("who signs in again after a sign-out that was interrupted stays", async () => {
  const device = new Device();
  await device.signIn("ana");
  void device.start({ signOut: never }).signOut();
  await device.signIn("ana");
  const next = device.start();
  await next.finishLeaving();
  expect([next.personId, device.signedIn]).toEqual(["ana", "ana"]);
});

test("finished with offline, the data goes at once and the session when the connection is back", async () => {
  const device = new Device();
  await device.signIn("ana");
  void device.start({ signOut: never }).signOut();
  device.online = false;
  await device.start().finishLeaving();
  expect([device.start().expected, [...device.databases], device.signedIn]).toEqual([false, [], "ana"]);
  device.online = true;
  await device.start().finishLeaving();
  expect([device.signedIn, Object.keys(device.storage)]).toEqual([undefined, []]);
});

test("whoever signed in meanwhile is not signed out for the one who left", async () => {
  const device = new Device();
  await device.signIn("ana");
  void device.start({ signOut: never }).signOut();
  device.signedIn = "luis";
  device.start().expect();
  const session = device.start();
  await session.finishLeaving();
  await session.refresh();
  expect([device.signedIn, session.personId, [...device.databases]]).toEqual(["luis", "luis", []]);
});

test("until the broker has said who signed in, nobody's data may be shown; another person's then goes", async () => {
  const device = new Device();
  const session = await device.signIn("ana");
  device.signedIn = "luis";
  session.expect();
  expect([session.expected, session.personId, session.me]).toEqual([true, undefined, undefined]);
  expect(device.start().personId).toBeUndefined();
  await session.refresh();
  expect([session.personId, device.told]).toEqual(["luis", ["ana"]]);
  await vi.waitFor(() => expect([...device.databases]).toEqual([]), { timeout: 10_000 });
});

test("the same person again keeps what is there", async () => {
  const device = new Device();
  await device.signIn("ana");
  await device.signIn("ana");
  expect([device.told, [...device.databases]]).toEqual([[], ["ana"]]);
  await device.start().finishLeaving();
  expect([...device.databases]).toEqual(["ana"]);
});

test("a session that turns out to be another person's takes the one before away", async () => {
  const device = new Device();
  const session = await device.signIn("ana");
  session.masked = true;
  device.signedIn = "luis";
  const seen: (string | undefined)[] = [];
  session.addEventListener("change", () => seen.push(session.me?.id));
  await session.refresh();
  expect(seen).toEqual([undefined, "luis"]);
  expect([session.masked, session.personId, device.told]).toEqual([false, "luis", ["ana"]]);
});

test.each(["blocked", "incomplete"] as const)(
  "a database that cannot be deleted now (%s) is deleted at the next start",
  async (state) => {
    const device = new Device();
    const session = await device.signIn("ana");
    device[state] = true;
    await session.signOut();
    expect([session.expected, ...device.databases]).toEqual([false, "ana"]);
    device[state] = false;
    await device.start().finishLeaving();
    expect([...device.databases, ...Object.keys(device.storage)]).toEqual([]);
  },
);

test("what is remembered is shown only for whom it is, and until the broker has answered", async () => {
  const device = new Device();
  await device.signIn("ana");
  const session = device.start();
  session.remember(person("luis"));
  expect(session.me).toBeUndefined();
  session.remember(person("ana"));
  expect(session.me?.id).toBe("ana");
});
