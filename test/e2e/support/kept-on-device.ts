import type { Page } from "playwright-core";

/** Everything that a page has written somewhere, as text to search. */
export interface KeptOnDevice {
  readonly localStorage: string;
  readonly sessionStorage: string;
  readonly indexedDb: string;
  readonly cookies: string;
  readonly document: string;
  /** Every cached answer's path and its body. */
  readonly caches: Readonly<Record<string, string>>;
}

async function readAll(): Promise<KeptOnDevice> {
  const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  const roots: ShadowRoot[] = [];
  const visit = (root: ParentNode): void => {
    for (const { shadowRoot } of root.querySelectorAll("*")) {
      if (shadowRoot === null) continue;
      roots.push(shadowRoot);
      visit(shadowRoot);
    }
  };
  visit(document);
  const databases: unknown[] = [];
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await answerOf(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      databases.push([name, store, await answerOf(database.transaction(store).objectStore(store).getAll())]);
    }
    database.close();
  }
  const cached: Record<string, string> = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      cached[new URL(request.url).pathname] = (await (await cache.match(request))?.text()) ?? "";
    }
  }
  return {
    localStorage: JSON.stringify({ ...localStorage }),
    sessionStorage: JSON.stringify({ ...sessionStorage }),
    indexedDb: JSON.stringify(databases),
    cookies: document.cookie,
    document: document.documentElement.getHTML({ shadowRoots: roots }),
    caches: cached,
  };
}

/** Reads all storages of a page, its cookies as scripts see them, and its document with every open shadow root. */
export function keptOnDevice(page: Page): Promise<KeptOnDevice> {
  return page.evaluate(readAll);
}
