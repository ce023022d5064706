import { chooseLanguage } from "../src/language/languages.ts";
import { CupoApp } from "./app.ts";
import type { AppContext } from "./context/app-context.ts";
import { useNotationOf } from "./format/money-format.ts";
import { InstallOffer } from "./install/install-offer.ts";
import { loadWords, wordsOf } from "./language/language.ts";
import { personRemovalIn, storeIn, syncAtMoments } from "./live/browser-store.ts";
import { Lock } from "./lock/lock.ts";
import { watchLock } from "./lock/watch-lock.ts";
import { QrKeyStore } from "./payment/qr-key-store.ts";
import { type Api, createApi } from "./platform/api.ts";
import { own } from "./platform/own.ts";
import { watchPresence } from "./platform/presence.ts";
import { Router } from "./platform/router.ts";
import { Updates } from "./platform/updates.ts";
import { whenIdle, yieldToBrowser } from "./platform/yield.ts";
import { type Route, routes } from "./routes.ts";
import { Settings } from "./settings/settings.ts";
import { AttemptStore } from "./store/attempt-store.ts";
import { Session } from "./store/session.ts";

/** Composes the app: the only place that uses the real clock, randomness and storage. */
async function start(): Promise<void> {
  await yieldToBrowser();
  const app = new CupoApp();
  const settings = new Settings(localStorage, document);
  const language = chooseLanguage(settings.languages(navigator.languages));
  document.documentElement.lang = language;
  useNotationOf(language);
  const api = apiOf(app, () => session);
  const keys = new QrKeyStore(api, localStorage);
  const removal = personRemovalIn(localStorage, (personId) => app.left(personId));
  const session: Session = new Session({ api, storage: localStorage, removal });
  const now = (): number => Date.now();
  // Before anything is shown.
  await session.finishLeaving();
  const store = storeIn({ api, session, now });
  own(store.start());
  await loadWords("start", language);
  const context: AppContext = {
    api,
    install: new InstallOffer(window),
    keys,
    lock: new Lock({ storage: localStorage, now, usual: () => (session.hasPasskey ? 5 : 0) }),
    attempts: new AttemptStore(sessionStorage),
    clock: { now, elapsed: () => performance.now() },
    newId: () => crypto.randomUUID(),
    router: new Router(window, () => session.shownId),
    session,
    settings,
    store,
    language,
    words: wordsOf("start"),
    announce: (text) => app.announce(text),
    prepare: (page) => app.prepare(page),
    signedIn: () => app.signedIn(),
  };
  app.context = context;
  app.updates = new Updates();
  document.body.append(app);
  watchOver(context, app);
  syncAtMoments(context);
  await yieldToBrowser();
  await app.open();
  await whenIdle();
  // If one of these fails to load, the others still start.
  for (const begin of [() => others(context), () => app.updates.start()]) await begin().catch(reportError);
  // Offline, the stored keys are used.
  await keys.refresh().catch(() => undefined);
}

/** Starts what works beside the pages. */
async function others(context: AppContext): Promise<void> {
  const { afterStart } = await import("./live/after-start.ts");
  afterStart(context);
}

/** Creates the client of the broker, which notifies the app when the session is over or another person's. */
function apiOf(app: CupoApp, session: () => Session): Api {
  return createApi({
    origin: location.origin,
    onSignedOut: () => own(app.signedOut()),
    onOperator: () => own(app.operatorCame()),
    onAnotherPerson: () => {
      session().replaced();
      app.left(session().me?.id);
    },
    attended: watchPresence(window, () => performance.now()),
    personId: () => session().shownId,
  });
}

/** Notifies the lock of the person's activity, and of a session that is over. */
function watchOver({ lock, router, session }: AppContext, app: CupoApp): void {
  session.addEventListener("change", () => {
    if (!session.expected) lock.forget();
  });
  watchLock(lock, {
    window,
    someone: () => session.expected,
    paused: () => (routes[router.place.page] as Route).present === true,
    away: (isAway) => app.toggleAttribute("away", isAway),
  });
}

own(start());
