import type { AppContext } from "../context/app-context.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { unlocks } from "../lock/unlocks.ts";
import { askPasskey } from "../passkey/ask-passkey.ts";
import { problemOf } from "../platform/problem.ts";

/**
 * Asks for the passkey; resolves to undefined once it was shown, or else to the sentence to show. Asks the device
 * alone, so that it works offline too: the broker has nothing to do with the lock. People of the demo have no passkey.
 */
export async function askOwner({
  newId,
  session,
  words,
}: Pick<AppContext, "newId" | "session" | "words">): Promise<Sentence | undefined> {
  if (!session.hasPasskey) return undefined;
  const { passkeyId } = session;
  const challenge = btoa(newId()).replaceAll("=", "");
  try {
    const answer = await askPasskey({
      challenge,
      userVerification: "required",
      allowCredentials: passkeyId === undefined ? [] : [{ id: passkeyId, type: "public-key" }],
    });
    if ("fault" in answer) return words.passkey[answer.fault];
    const isOwner = unlocks(answer.credential, { challenge, origin: location.origin, passkeyId });
    return isOwner ? undefined : words.passkey.cancelled;
  } catch (error) {
    reportError(error);
    return sentenceOf(words, problemOf(error), "looking");
  }
}
