import { createApi } from "./api.ts";
import "./app.ts";
import type { AppContext } from "./app-context.ts";
import { chooseLanguage, loadWords } from "./language/language.ts";
import { AttemptStore } from "./payment/attempt-store.ts";
import { QrKeyStore } from "./payment/qr-key-store.ts";
import { Router } from "./router.ts";
import { Session } from "./session.ts";
import { Updates } from "./updates.ts";

/** Puts the app together: the only place that holds the real clock, chance and storage. */
async function start(): Promise<void> {
  const app = document.createElement("cupo-app");
  const language = chooseLanguage(navigator.languages);
  document.documentElement.lang = language;
  const api = createApi({
    origin: location.origin,
    onSignedOut: () => app.signedOut(),
    onOperator: () => app.operatorCame(),
  });
  const keys = new QrKeyStore(api, localStorage);
  const context: AppContext = {
    api,
    keys,
    attempts: new AttemptStore(sessionStorage),
    clock: { now: () => Date.now(), elapsed: () => performance.now() },
    newId: () => crypto.randomUUID(),
    router: new Router(window),
    session: new Session(api, localStorage),
    language,
    words: await loadWords(language),
    announce: (text) => app.announce(text),
    signedIn: () => app.signedIn(),
  };
  app.context = context;
  app.updates = new Updates();
  document.body.append(app);
  await app.open();
  await app.updates.start();
  // Offline the keys that were kept serve.
  await keys.refresh().catch(() => undefined);
}

void start();
