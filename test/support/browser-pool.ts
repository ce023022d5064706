import { type PlaywrightLauncher, playwrightLauncher } from "@web/test-runner-playwright";

type LauncherOptions = NonNullable<Parameters<typeof playwrightLauncher>[0]>;
type RunnerConfig = Parameters<PlaywrightLauncher["initialize"]>[0];

/**
 * Several browsers of one kind, each with one page at a time. Element tests mostly wait, so that two side by side take
 * half as long; in one browser only one of two pages would have the focus, and both would share how pages are shown.
 */
export class BrowserPool {
  readonly name: string;
  readonly type = "cupo:browser-pool";
  readonly concurrency: number;
  readonly #idle: PlaywrightLauncher[];
  readonly #busy = new Map<string, PlaywrightLauncher>();

  constructor(size: number, options: LauncherOptions) {
    this.#idle = Array.from({ length: size }, () => playwrightLauncher(options));
    this.concurrency = size;
    this.name = this.#idle[0]?.name ?? "";
  }

  async initialize(config: RunnerConfig, testFiles: string[]): Promise<void> {
    await Promise.all(this.#idle.map((launcher) => launcher.initialize(config, testFiles)));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#idle, ...this.#busy.values()].map((launcher) => launcher.stop()));
  }

  startSession(sessionId: string, url: string): Promise<void> {
    return this.#take(sessionId).startSession(sessionId, url);
  }

  startDebugSession(sessionId: string, url: string): Promise<void> {
    return this.#take(sessionId).startDebugSession(sessionId, url);
  }

  isActive(sessionId: string): boolean {
    return this.#busy.get(sessionId)?.isActive(sessionId) ?? false;
  }

  getBrowserUrl(sessionId: string): string {
    return this.#launcherOf(sessionId).getBrowserUrl(sessionId);
  }

  getPage(sessionId: string): ReturnType<PlaywrightLauncher["getPage"]> {
    return this.#launcherOf(sessionId).getPage(sessionId);
  }

  async stopSession(sessionId: string): ReturnType<PlaywrightLauncher["stopSession"]> {
    const launcher = this.#launcherOf(sessionId);
    try {
      return await launcher.stopSession(sessionId);
    } finally {
      this.#busy.delete(sessionId);
      this.#idle.push(launcher);
    }
  }

  #take(sessionId: string): PlaywrightLauncher {
    const launcher = this.#idle.shift();
    if (launcher === undefined) throw new Error(`All ${this.concurrency} of ${this.name} are busy.`);
    this.#busy.set(sessionId, launcher);
    return launcher;
  }

  #launcherOf(sessionId: string): PlaywrightLauncher {
    const launcher = this.#busy.get(sessionId);
    if (launcher === undefined) throw new Error(`${this.name} has no page for session ${sessionId}.`);
    return launcher;
  }
}
