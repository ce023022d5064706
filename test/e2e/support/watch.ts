import type { BrowserContext } from "playwright-core";

/** Runs in every page: logs to the console what the content security policy or Trusted Types refuse. */
function tellViolations(): void {
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
    console.error(`violation of ${effectiveDirective}: ${blockedURI} at ${sourceFile}:${lineNumber}`);
  });
}

/**
 * Collects the faults of pages: an error or a warning in the console, a thrown error, a violation of the policy, a
 * request to any other origin. A test announces the faults that it provokes with {@link Watch.allow}.
 */
export class Watch {
  readonly #seen: string[] = [];
  readonly #allowed: RegExp[] = [];

  /** Watches every page, worker and service worker of a context from now on. */
  static async over(context: BrowserContext, origin: string): Promise<Watch> {
    const watch = new Watch();
    await context.addInitScript(tellViolations);
    context.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      watch.#seen.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    // A script that could not be fetched is an error without a stack.
    context.on("weberror", (error) => watch.#seen.push(`thrown: ${error.error().stack || error.error().message}`));
    context.on("request", (request) => {
      const { protocol, origin: asked } = new URL(request.url());
      if (protocol.startsWith("http") && asked !== origin) watch.#seen.push(`asked another origin: ${request.url()}`);
    });
    return watch;
  }

  /** Ignores the faults that match, which the test provokes. */
  allow(...patterns: readonly RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  /** Returns the faults since the last call, but for those that are allowed. */
  takeFaults(): readonly string[] {
    return this.#seen.splice(0).filter((text) => !this.#allowed.some((pattern) => pattern.test(text)));
  }
}
