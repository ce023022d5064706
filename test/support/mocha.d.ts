/**
 * The globals that the browser runner's test framework defines, as far as `*.browser.test.ts` may use them. Tests that
 * run in Node import theirs from vitest.
 */

type BrowserTestBody = (this: { timeout(milliseconds: number): void }) => void | Promise<void>;

type BrowserTestDeclaration = (law: string, body: BrowserTestBody) => void;

declare const describe: (subject: string, body: () => void) => void;
declare const it: BrowserTestDeclaration;
declare const before: (body: BrowserTestBody) => void;
declare const after: (body: BrowserTestBody) => void;
declare const beforeEach: (body: BrowserTestBody) => void;
declare const afterEach: (body: BrowserTestBody) => void;
