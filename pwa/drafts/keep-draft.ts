import type { AppContext } from "../context/app-context.ts";
import { draftOf } from "./draft-of.ts";

/**
 * Stores a code that was verified offline as a draft on this device, its payee named as it may be shown: once online,
 * the person confirms it from Home. Resolves to false where the code is none of this service, or it is not known yet
 * whose data is kept here.
 */
export async function keepDraft(payload: string, payee: string, context: AppContext): Promise<boolean> {
  const { clock, keys, newId, store } = context;
  const draft = draftOf(payload, { guid: keys.guid, id: newId(), nowMs: clock.now(), payee });
  return draft !== undefined && (await store.keepDraft(draft));
}

/** Deletes the drafts of a code that has been paid, by its payload. */
export async function dropDraftOf(payload: string, { store }: Pick<AppContext, "store">): Promise<void> {
  const settled = store.drafts.filter((draft) => draft.payload === payload);
  for (const { id } of settled) await store.dropDraft(id);
}
