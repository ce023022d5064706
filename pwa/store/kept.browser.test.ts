import type { Me, Movement } from "../../src/contract/broker/broker.ts";
import { expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
import { databaseName, openDatabase, upgrades } from "./database.ts";
import { deleteDatabase } from "./delete-database.ts";
import { PersonData, type StoreTrouble } from "./person-data.ts";

const NOW = Date.UTC(2026, 2, 31, 19, 32);

const me: Me = {
  id: "01890a5d-ac96-774b-bcce-b302099a8057",
  name: "Ana Torres",
  business_name: null,
  quota: 500_000,
  quota_available: 475_000,
  score: null,
  status: "active",
  currency: "COP",
  as_of: new Date(NOW).toISOString(),
  demo: true,
  new_devices: 0,
};

function movement(number: number): Movement {
  return {
    id: `01890a5d-ac96-774b-bcce-${String(number).padStart(12, "0")}`,
    reference: "7K3M9QXT2V4FW",
    kind: "qr",
    status: "approved",
    direction: number % 2 === 0 ? "received" : "sent",
    counterparty: "Tienda Lola",
    counterparty_id: "01890a5d-ac96-774b-bcce-b302099a8058",
    amount: number,
    currency: "COP",
    created_at: new Date(NOW + number * 1_000).toISOString(),
  };
}

/** A step that a later version of the app may take. */
const addIndex: (typeof upgrades)[number] = (_, transaction) => {
  (transaction.objectStore("movements") as unknown as IDBObjectStore).createIndex("amount", "amount");
};

let people = 0;
let opened: PersonData[] = [];

/** A person of whom nothing is kept. */
function aPerson(): string {
  return `person-${performance.timeOrigin}-${++people}`;
}

async function open(personId: string) {
  const troubles: StoreTrouble[] = [];
  let changes = 0;
  const onChange = (): void => {
    changes++;
  };
  const data = await PersonData.open(personId, { onChange, onTrouble: (trouble) => troubles.push(trouble) });
  opened.push(data);
  const amounts = async (): Promise<readonly number[]> => (await data.all()).map(({ amount }) => amount);
  return { data, troubles, amounts, changes: () => changes };
}

async function filled(personId: string) {
  const person = await open(personId);
  await person.data.write({
    me,
    asOf: new Date(NOW).toISOString(),
    movements: [movement(1), movement(3), movement(2)],
  });
  await person.data.write({ position: { list: "history", at: { whole: true, token: "t" } } });
  return person;
}

describe("what is kept of a person", () => {
  afterEach(async () => {
    for (const data of opened) data.close();
    opened = [];
  });

  it("is there at the next start, newest first, and nothing of it for anybody else", async () => {
    const personId = aPerson();
    (await filled(personId)).data.close();
    const { data, amounts, troubles } = await open(personId);
    expectEqual([data.metadata.me?.name, data.metadata.positions.history?.token, troubles], ["Ana Torres", "t", []]);
    const latest = async (wanted: Parameters<PersonData["latest"]>[0]) =>
      (await data.latest(wanted)).map((one) => one.amount);
    expectEqual(
      [await latest({ count: 2 }), await latest({ count: 2, direction: "sent" })],
      [
        [3, 2],
        [3, 1],
      ],
    );
    expectEqual([await amounts(), (await data.movement(movement(2).id))?.amount], [[3, 2, 1], 2]);
    const other = await open(aPerson());
    expectEqual([await other.amounts(), other.data.metadata], [[], { pendingApprovals: [], positions: {} }]);
  });

  it("has a movement once that came twice, as it does when it changed twice, and as it came last", async () => {
    const { data, amounts } = await open(aPerson());
    await data.write({ movements: [movement(1)] });
    expectEqual(await amounts(), [1]);
    const refunded = { ...movement(2), reversed_amount: 1 };
    await data.write({ movements: [movement(2), movement(3), refunded] });
    expectEqual(await amounts(), [3, 2, 1]);
    expectEqual((await data.all())[1]?.reversed_amount, 1);
  });

  it("is the same in two tabs: what one writes the other hears of", async () => {
    const personId = aPerson();
    const [one, other] = [await filled(personId), await open(personId)];
    expectEqual(await other.amounts(), [3, 2, 1]);
    const before = other.changes();
    await one.data.write({ movements: [movement(4)], asOf: new Date(NOW + 1).toISOString() });
    await until(() => other.changes() > before, "the other tab's change");
    expectEqual([await other.amounts(), other.data.metadata.asOf], [[4, 3, 2, 1], new Date(NOW + 1).toISOString()]);
    const read = other.data.all();
    await one.data.write({ asOf: new Date(NOW + 2).toISOString() });
    await until(() => other.data.metadata.asOf === new Date(NOW + 2).toISOString(), "the other tab's fact");
    expectTrue(other.data.all() === read, "every movement read again for a fact");
  });

  it("is deleted although another tab has it open, and nothing is left", async () => {
    const personId = aPerson();
    const { data, troubles } = await filled(personId);
    expectTrue(await deleteDatabase(personId), "the other tab holds it");
    // The tab that had it open goes on in memory, and creates no database again.
    await data.write({ movements: [movement(8)] });
    const names = (await indexedDB.databases()).map(({ name }) => name);
    expectTrue(!names.includes(databaseName(personId)), names);
    expectEqual(troubles, []);
  });

  it("a blocked deletion says so instead of waiting for ever", async () => {
    const personId = aPerson();
    (await filled(personId)).data.close();
    const request = indexedDB.open(databaseName(personId));
    await new Promise((done) => request.addEventListener("success", done));
    expectEqual(await deleteDatabase(personId), false);
    request.result.close();
    expectEqual(await deleteDatabase(personId), true);
  });

  it("a damaged record is left out, and the lists are to be read anew", async () => {
    const personId = aPerson();
    (await filled(personId)).data.close();
    const database = await openDatabase(personId, { onClosed: () => undefined });
    await database.put("movements", { ...movement(9), amount: "lots" } as unknown as Movement);
    await database.put("facts", { name: 7 }, "me");
    database.close();
    const { data, amounts } = await open(personId);
    expectEqual([await amounts(), data.metadata.me], [[3, 2, 1], undefined]);
    data.close();
    expectEqual((await open(personId)).data.metadata.positions, {});
  });

  it("a database that this app cannot read is made anew", async () => {
    const personId = aPerson();
    for (const version of [1, upgrades.length + 7]) {
      await deleteDatabase(personId);
      const request = indexedDB.open(databaseName(personId), version);
      request.addEventListener("upgradeneeded", () => request.result.createObjectStore("something"));
      await new Promise((done) => request.addEventListener("success", done));
      request.result.close();
      const { data, amounts, troubles } = await filled(personId);
      expectEqual([await amounts(), troubles], [[3, 2, 1], []]);
      data.close();
    }
  });

  it("an upgrade keeps what is there", async () => {
    const personId = aPerson();
    (await filled(personId)).data.close();
    const database = await openDatabase(personId, {
      onClosed: () => undefined,
      steps: [...upgrades, addIndex],
    });
    expectEqual(database.version, upgrades.length + 1);
    expectEqual((await database.getAllFromIndex("movements", "time")).length, 3);
    database.close();
  });

  it("a device that is full says so once, and the app goes on in memory with all that it knows", async () => {
    const personId = aPerson();
    const { data, amounts, troubles } = await filled(personId);
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("no room", "QuotaExceededError");
    };
    try {
      await data.write({ movements: [movement(4)] });
      await data.write({ movements: [movement(5)] });
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    expectEqual([await amounts(), data.metadata.me?.name, troubles], [[5, 4, 3, 2, 1], "Ana Torres", ["full"]]);
  });

  it("a device that can no longer be read says so, and the lists are to be read anew", async () => {
    const { data, amounts, troubles } = await filled(aPerson());
    const getAll = IDBIndex.prototype.getAll;
    IDBIndex.prototype.getAll = () => {
      throw new DOMException("connection lost", "UnknownError");
    };
    try {
      const { positions: places, me: person } = data.metadata;
      expectEqual([places.history?.whole, person?.name], [true, "Ana Torres"]);
      expectEqual([await amounts(), data.metadata.positions, data.metadata.me?.name], [[], {}, "Ana Torres"]);
    } finally {
      IDBIndex.prototype.getAll = getAll;
    }
    await data.write({ movements: [movement(4)] });
    expectEqual([await amounts(), troubles], [[4], ["broken"]]);
  });

  it("a newer app in another tab takes the database, and this one says that it keeps nothing", async () => {
    const personId = aPerson();
    const { amounts, troubles } = await filled(personId);
    const newer = await openDatabase(personId, { onClosed: () => undefined, steps: [...upgrades, addIndex] });
    newer.close();
    await until(() => troubles.length > 0, "the word that nothing is kept");
    expectEqual([await amounts(), troubles], [[], ["broken"]]);
  });

  it("is read again once the page is back, because others may have written meanwhile", async () => {
    const personId = aPerson();
    const { amounts, changes, troubles } = await filled(personId);
    expectEqual(await amounts(), [3, 2, 1]);
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    const database = await openDatabase(personId, { onClosed: () => undefined });
    await database.put("movements", movement(4));
    database.close();
    const before = changes();
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    await until(() => changes() > before, "the change");
    expectEqual([await amounts(), troubles], [[4, 3, 2, 1], []]);
  });

  it("a database that cannot be opened for a moment loses no draft", async () => {
    const personId = aPerson();
    const draft = { id: "d", payload: "p", payee: "Tienda Lola", savedAt: new Date(NOW).toISOString() };
    const { data } = await filled(personId);
    await data.write({ draft });
    data.close();
    const open_ = IDBFactory.prototype.open;
    IDBFactory.prototype.open = () => {
      IDBFactory.prototype.open = open_;
      throw new DOMException("connection lost", "UnknownError");
    };
    const again = await open(personId);
    expectEqual([again.data.drafts, again.troubles], [[draft], []]);
  });

  it("a code that two tabs keep at once waits once", async () => {
    const personId = aPerson();
    const [one, other] = [await filled(personId), await open(personId)];
    const draft = { payload: "p", payee: "Tienda Lola", savedAt: new Date(NOW).toISOString() };
    await Promise.all([one, other].map(({ data }, tab) => data.write({ draft: { ...draft, id: `tab ${tab}` } })));
    const again = await open(personId);
    expectEqual([again.data.drafts.length, again.troubles], [1, []]);
  });

  it("a browser without a database is told once, and everything works in memory", async () => {
    const open_ = IDBFactory.prototype.open;
    IDBFactory.prototype.open = () => {
      throw new DOMException("not in private", "InvalidStateError");
    };
    try {
      const { amounts, troubles } = await filled(aPerson());
      expectEqual([await amounts(), troubles], [[3, 2, 1], ["broken"]]);
    } finally {
      IDBFactory.prototype.open = open_;
    }
  });
});
