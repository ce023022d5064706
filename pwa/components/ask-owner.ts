import type { AppContext } from "../context/app-context.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { unlocks } from "../lock/unlocks.ts";
import { askPasskey } from "../passkey/ask-passkey.ts";
import { problemOf } from "../platform/problem.ts";

/**
 * Asks the signed-in person for the passkey, to unlock the app or to let it lock later; resolves to undefined if the
 * passkey was shown, or else to the error message. Checks on the device alone and asks no server, so that it works
 * offline. People of the demo have no passkey and pass unasked.
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
