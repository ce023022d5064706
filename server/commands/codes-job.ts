import { endCodeEndpoint, findCodeEndpoint, setCodeEndpoint } from "../broker/people/devices/enrolment-code-store.ts";
import { createSealer } from "../database/sealer.ts";
import { createWebhookNetwork } from "../webhooks/webhook-network.ts";
import { webhookUrlFault } from "../webhooks/webhook-url-fault.ts";
import { carryOut } from "./operator-jobs.ts";
import { PRIVATE_WEBHOOK } from "./option-faults.ts";
import {
  type CommandContext,
  CommandError,
  type CommandOutput,
  instantText,
  type Job,
  tableText,
} from "./terminal-command.ts";

const NO_ENDPOINT = "No endpoint is told codes: a second operator is shown the code of a link that is made over HTTP.";

/** Shows the address that enrolment codes are sent to. */
export async function showCodesJob({ sql }: CommandContext): Promise<CommandOutput> {
  const endpoint = await findCodeEndpoint(sql);
  if (endpoint === undefined) return { text: NO_ENDPOINT, data: { url: null } };
  const { url, createdAt } = endpoint;
  const text = tableText([
    ["codes are sent to", url],
    ["since", instantText(createdAt)],
  ]);
  return { text, data: { url, created_at: createdAt } };
}

/** Sets the address that enrolment codes are sent to, and shows the secret that signs the messages. */
export function setCodesJob(url: string): Job {
  return async (services) => {
    const { key, webhookPrivate: allowed } = services;
    const fault = webhookUrlFault(url, createWebhookNetwork({ allowed }));
    if (fault !== undefined) throw new CommandError(`--url ${fault}.\n${PRIVATE_WEBHOOK}`);
    const secret = await carryOut(services, "set code endpoint", async (tx, { random, newId, now }) => {
      const sealer = createSealer(key, random);
      const result = await setCodeEndpoint(tx, url, { sealer, random, newId, now });
      return { result, subject: "codes", outcome: "set" };
    });
    const text = [
      tableText([
        ["codes are sent to", url],
        ["secret", secret],
      ]),
      "",
      "Keep the secret now: it is not shown again. It verifies each message, as cupo/webhooks does.",
      "Text or mail data.code to the user data.user_id, and to nobody else.",
    ].join("\n");
    return { text, data: { url, secret } };
  };
}

/** Removes the address that enrolment codes are sent to; a second operator is then shown them. */
export async function endCodesJob(services: CommandContext): Promise<CommandOutput> {
  await carryOut(services, "set code endpoint", async (tx, { now }) => {
    await endCodeEndpoint(tx, now);
    return { result: undefined, subject: "codes", outcome: "ended" };
  });
  return { text: NO_ENDPOINT, data: { url: null } };
}
