import { expectEqual, expectTrue } from "../../widgets/shared/browser-test.ts";
import { databaseName, openDatabase, type PersonDatabase } from "./database.ts";
import { DatabaseConnection } from "./database-connection.ts";
import { deleteDatabase } from "./delete-database.ts";

let people = 0;
const connections: DatabaseConnection[] = [];

/** Does as the browser when it puts the page into its back/forward cache, or takes it out again. */
function turn(way: "pagehide" | "pageshow"): void {
  dispatchEvent(new PageTransitionEvent(way, { persisted: true }));
}

/** A connection to the database of a new person, which has one fact, and the databases that it has opened. */
async function connect() {
  const personId = `connected-${performance.timeOrigin}-${++people}`;
  const opened: PersonDatabase[] = [];
  let returns = 0;
  const connection = new DatabaseConnection(
    async (more) => {
      const database = await openDatabase(personId, { onClosed: () => undefined, ...more });
      opened.push(database);
      return database;
    },
    () => {
      returns++;
    },
  );
  connections.push(connection);
  await connection.write((transaction) => transaction.objectStore("facts").put("known", "fact"));
  const fact = () => connection.read("facts", (store) => store.get("fact"));
  return { personId, connection, opened, fact, returns: () => returns };
}

function nameOfFailure(act: () => unknown): string {
  try {
    act();
    return "";
  } catch (error) {
    return (error as Error).name;
  }
}

describe("the connection to a person's database", () => {
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.close();
  });

  it("is closed while the browser keeps the page for Back, and the write that this ended is repeated", async () => {
    const { connection, opened, fact } = await connect();
    let attempts = 0;
    await connection.write((transaction) => {
      const put = transaction.objectStore("facts").put(++attempts, "fact");
      if (attempts === 1) turn("pagehide");
      return put;
    });
    expectEqual([await fact(), attempts, opened.length], [2, 2, 2]);
    expectEqual(
      opened.map((database) => nameOfFailure(() => database.transaction("facts"))),
      ["InvalidStateError", ""],
    );
  });

  it("tells when the page is back, until it is closed for good", async () => {
    const { connection, fact, returns } = await connect();
    turn("pagehide");
    turn("pageshow");
    expectEqual([await fact(), returns()], ["known", 1]);
    connection.close();
    turn("pageshow");
    expectEqual(returns(), 1);
  });

  it("stays where the page is not kept", async () => {
    const { opened, fact } = await connect();
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: false }));
    expectEqual([await fact(), opened.length], ["known", 1]);
  });

  it("makes no database again that was deleted meanwhile", async () => {
    const { personId, fact } = await connect();
    turn("pagehide");
    expectTrue(await deleteDatabase(personId), "it is held");
    const failure = await fact().catch((error: Error) => error.name);
    expectEqual(failure, "AbortError");
    const names = (await indexedDB.databases()).map(({ name }) => name);
    expectTrue(!names.includes(databaseName(personId)), names);
  });
});
