import { join } from "node:path";
import type {
  AccountWords,
  ApprovalWords,
  ReceiptsWords,
  ScanWords,
  ShopWords,
  StartWords,
  WelcomeWords,
} from "../../../src/language/tables/app.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** All words of the app in one language: those of its start, and each part that it loads later. */
export interface AppWords extends StartWords {
  readonly account: AccountWords;
  readonly approval: ApprovalWords;
  readonly receipts: ReceiptsWords;
  readonly scan: ScanWords;
  readonly shop: ShopWords;
  readonly welcome: WelcomeWords;
}

/** Reads the app's words in a language, from the sources of a checkout. */
export async function appWords(language: string, root = ROOT): Promise<AppWords> {
  const read = async (part: string): Promise<unknown> => {
    const { words } = (await import(join(root, `src/language/${language}/app/${part}.ts`))) as { words: unknown };
    return words;
  };
  const parts = ["account", "approval", "receipts", "scan", "shop", "welcome"];
  const [start, ...others] = await Promise.all(["start", ...parts].map(read));
  return { ...(start as StartWords), ...Object.fromEntries(parts.map((part, at) => [part, others[at]])) } as AppWords;
}
