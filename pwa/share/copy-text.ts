import type { AppContext } from "../context/app-context.ts";

/**
 * Copies a text to the clipboard, and announces success or failure to screen readers; resolves to true if it is copied.
 */
export async function copyText(text: string, { announce, words }: AppContext): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(words.common.copied);
    return true;
  } catch {
    announce(words.failures.something_wrong.title);
    return false;
  }
}
