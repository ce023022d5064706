import type { Config } from "../config/config.ts";
import { callOf, type WrittenCall, writtenReply } from "../http/remote-call.ts";
import { sharePort } from "../http/share-port.ts";
import type { ApiCaller } from "../service/shared/service-context.ts";
import type { Answers } from "../threads/channel.ts";
import type { Thread, Threads } from "../threads/threads.ts";
import type { HttpThreadData } from "./http-thread.ts";
import { classifyServiceError, type ServiceCore } from "./service-core.ts";

/** Options of {@link startHttpThreads}. */
export interface HttpThreadOptions {
  readonly core: ServiceCore;
  readonly config: Config;
  readonly databaseUrl: string;
  readonly threads: Threads;
  /** The number of threads that serve HTTP. */
  readonly count: number;
  /** The metrics of the whole process as text. */
  readonly metrics: () => Promise<string>;
}

/** Answers the threads' questions to the core; errors leave as those that their answers name. */
function coreAnswers({ core, metrics }: HttpThreadOptions): Answers {
  const { handlers, answers, tokens } = core;
  const all = {
    ...answers,
    metrics,
    tokenKey: tokens.tokenKey,
    refusalOf: tokens.refusalOf,
    async carryOut({ name, call }: { name: keyof typeof handlers; call: WrittenCall<ApiCaller> }) {
      return writtenReply(await handlers[name](callOf(call) as never));
    },
  };
  const classified = Object.entries(all).map(([name, answer]) => {
    const run = async (argument: never): Promise<unknown> => {
      try {
        return await answer(argument);
      } catch (error) {
        throw classifyServiceError(error) ?? error;
      }
    };
    return [name, run];
  });
  return Object.fromEntries(classified);
}

/** Starts the threads that serve HTTP in front of the core, and lets them share the service's port. */
export async function startHttpThreads(options: HttpThreadOptions): Promise<readonly Thread[]> {
  const { core, config, databaseUrl, threads, count } = options;
  const data: HttpThreadData = { config, databaseUrl, limits: core.limitMemory, threads: count };
  const script = new URL("./http-thread.ts", import.meta.url);
  const answers = coreAnswers(options);
  const { host, servicePort: port } = config;
  const started: Thread[] = [];
  await sharePort({ host, port }, async (shared) => {
    for (let number = 1; number <= count; number++) {
      started.push(threads.start({ script, name: `http ${number}`, data, answers }));
    }
    await Promise.all(started.map(({ channel }) => channel.ask("listen", shared)));
  }).catch(async (error: unknown) => {
    await Promise.all(started.map((thread) => thread.close()));
    throw error;
  });
  return started;
}
