import type { AppContext } from "../context/app-context.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { problemOf } from "../platform/problem.ts";

/** Signs the person out and shows the welcome page; resolves to an error message if that fails at the broker. */
export async function signOut(context: AppContext): Promise<Sentence | undefined> {
  const { attempts, router, session, words } = context;
  try {
    await session.signOut();
    attempts.clear();
    router.go("/welcome", { replace: true });
    return undefined;
  } catch (error) {
    return sentenceOf(words, problemOf(error), "looking");
  }
}
