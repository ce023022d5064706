import { join } from "node:path";
import type { AccountWords, ApprovalWords, ReceiptsWords, StartWords } from "../../../src/language/tables/app.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** All words of the app in one language: those of its start, and each part that it loads later. */
export interface AppWords extends StartWords {
  readonly account: AccountWords;
  readonly approval: ApprovalWords;
  readonly receipts: ReceiptsWords;
}

/** Reads the app's words in a language, from the sources of a checkout. */
export async function appWords(language: string, root = ROOT): Promise<AppWords> {
  const read = async (part: string): Promise<unknown> => {
    const { words } = (await import(join(root, `src/language/${language}/app/${part}.ts`))) as { words: unknown };
    return words;
  };
  const [start, account, approval, receipts] = await Promise.all(
    ["start", "account", "approval", "receipts"].map(read),
  );
  return { ...(start as StartWords), account, approval, receipts } as AppWords;
}
