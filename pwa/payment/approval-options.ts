import type { AppContext } from "../context/app-context.ts";
import { askPasskey } from "../passkey/ask-passkey.ts";
import { own } from "../platform/own.ts";
import type { ApprovalFlowOptions } from "./approval-flow.ts";

/** Longest wait for the device's storage: one that does not answer keeps nobody from paying. */
const LONGEST_KEEPING_MS = 1_000;

/** Options of an approval in the app; `onAttempt` keeps its attempt's key in the page's history entry. */
export function approvalOptions(context: AppContext, onAttempt: (key: string) => void): ApprovalFlowOptions {
  const { api, attempts, newId, router, store } = context;
  const wait = (delayMs: number): Promise<void> => new Promise((done) => setTimeout(done, delayMs));
  const onSend: ApprovalFlowOptions["onSend"] = ({ payee, amount, currency }, attempt) => {
    const { fragment, path: page } = router.place;
    const path = fragment === "" ? page : `${page}#${fragment}`;
    const pending = { attempt, path, payee, amount, currency };
    return Promise.race([store.keepPendingApproval(pending), wait(LONGEST_KEEPING_MS)]);
  };
  const onSettled = (key: string): void => own(store.dropPendingApproval(key));
  const isSamePerson = (): Promise<boolean> => isShownPerson(context);
  return { api, attempts, newId, wait, askPasskey, onAttempt, onSend, onSettled, isSamePerson };
}

/** True if the person whom the app shows is still signed in. */
async function isShownPerson({ session }: AppContext): Promise<boolean> {
  const shown = session.me?.id;
  // Another tab may have signed somebody else in: the id that it stored shows that without a request.
  if (shown === undefined || session.personId !== shown) return false;
  return (await session.refresh().catch(() => undefined))?.id === shown;
}
