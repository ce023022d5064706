import { isKnownHere } from "../broker/access/freeze-store.ts";
import { type Frozen, freezeUser, unfreezeUser } from "../broker/people/protection/freeze-user.ts";
import type { Tx } from "../database/connect.ts";
import { findServiceUser, type WantedUser } from "./find-service-user.ts";
import { carryOut } from "./operator-jobs.ts";
import { type CommandContext, CommandError, type CommandOutput, type Job, plainText } from "./terminal-command.ts";

interface NamedUser {
  readonly id: string;
  /** Unknown while the service does not answer. */
  readonly name?: string;
}

/** Looks the user up at the service; while that does not answer, accepts the id of a user known here. */
async function namedUser(services: CommandContext, wanted: WantedUser): Promise<NamedUser> {
  const found = await findServiceUser(services, wanted);
  if (!("unchecked" in found)) return { id: found.id, name: found.name };
  const id = found.id?.toLowerCase();
  if (id !== undefined && (await isKnownHere(services.sql, id))) return { id };
  const { unchecked, remedy } = found;
  throw new CommandError(`The user cannot be looked up: ${unchecked}; ${remedy}, or name a known --user-id.`);
}

function saidOf({ id, name }: NamedUser, isFrozen: boolean, sentence: string): CommandOutput {
  const who = name === undefined ? id : `${plainText(name)} (${id})`;
  const data = { user_id: id, ...(name === undefined ? {} : { name }), frozen: isFrozen };
  return { text: `User: ${who}\n\n${sentence}`, data };
}

/** Carries a freeze or its end out with its audit record; the running broker notifies devices and service. */
function changing(
  wanted: WantedUser,
  { action, outcome, run }: { action: string; outcome: string; run: (tx: Tx, of: Of) => Promise<Frozen> },
  said: (user: NamedUser, isChanged: boolean) => CommandOutput,
): Job {
  return async (services) => {
    const user = await namedUser(services, wanted);
    const { isChanged } = await carryOut(services, action, async (tx, { newId, now }) => {
      const result = await run(tx, { userId: user.id, newId, now });
      return { result, subject: user.id, outcome: result.isChanged ? outcome : "unchanged" };
    });
    return said(user, isChanged);
  };
}
type Of = Parameters<typeof unfreezeUser>[1];

/** Freezes a user: at once in the app, and at the service as soon as the running broker reaches it. */
export function freezeJob(wanted: WantedUser): Job {
  const run = (tx: Tx, of: Of) => freezeUser(tx, of, "command line");
  return changing(wanted, { action: "freeze person", outcome: "frozen", run }, (user, isChanged) =>
    saidOf(user, true, isChanged ? "Frozen. Only operators lift that." : "The user was frozen already."),
  );
}

/** Lifts a user's freeze; the running broker ends the block at the service that the freeze made. */
export function unfreezeJob(wanted: WantedUser): Job {
  return changing(wanted, { action: "unfreeze person", outcome: "lifted", run: unfreezeUser }, (user, isChanged) =>
    saidOf(user, false, isChanged ? "No longer frozen: the user signs in anew." : "The user was not frozen."),
  );
}
