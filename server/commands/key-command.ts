import type { Tx } from "../database/connect.ts";
import { createSealer } from "../database/sealer.ts";
import { type KeyPurpose, type SigningKey, signingKeyAt } from "../service/keys/signing-key.ts";
import {
  assertOpens,
  readSigningKeys,
  revokeSigningKey,
  rotateSigningKey,
  type SigningKeyCreation,
} from "../service/keys/signing-key-store.ts";
import { recordAccess } from "../service/shared/record-access.ts";
import {
  COMMAND_LINE,
  type CommandContext,
  CommandError,
  type CommandOutput,
  instantText,
  type Job,
  plainText,
  planPlain,
  planVerbs,
  readArguments,
  type TerminalCommand,
  tableText,
  UsageError,
} from "./terminal-command.ts";

const USAGE = `Usage: npm run key -- COMMAND

  list               signing keys, and which of them sign now
  rotate token|qr    a new key that signs in ten minutes; what the old one signed stays good
  revoke KEY_ID      for a key that became known: what it signed is refused within one minute

  --json   what was done as one JSON document`;

const PURPOSES: readonly KeyPurpose[] = ["token", "qr"];

const AFTER_REVOKING: Readonly<Record<KeyPurpose, string>> = {
  token: "Within one minute the tokens that it signed are refused; clients get new ones with their secrets.",
  qr:
    "Within one minute the payment codes that it signed are not accepted any more. Wait that minute, then make new " +
    "ones, printed ones too: until then a running Cupo may still sign with the revoked key.",
};

/** Runs work in one transaction, after checking that the service key opens the stored keys. */
function withKeys(
  services: CommandContext,
  work: (tx: Tx, making: SigningKeyCreation) => Promise<CommandOutput>,
): Promise<CommandOutput> {
  const { sql, key, clock, random: randomBytes } = services;
  const making = { sealer: createSealer(key, randomBytes), randomBytes, now: clock() };
  return sql.begin(async (tx) => {
    await assertOpens(tx, making.sealer);
    return work(tx, making);
  });
}

async function record(tx: Tx, action: string, kid: string, now: Date): Promise<void> {
  await recordAccess(tx, { madeBy: COMMAND_LINE, requestId: null, action, subject: kid, outcome: "done" }, now);
}

function keyAnswer({ kid, purpose, notBefore, notAfter, revokedAt }: SigningKey, state: string) {
  return {
    kid,
    purpose,
    state,
    not_before: notBefore.toISOString(),
    not_after: notAfter?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
  };
}

function stateOf(key: SigningKey, keys: readonly SigningKey[], now: Date): string {
  if (key.revokedAt !== null) return "revoked";
  if (signingKeyAt(keys, key.purpose, now)?.kid === key.kid) return "signs";
  return key.notBefore > now ? "waits" : "retired";
}

async function list({ sql, clock }: CommandContext): Promise<CommandOutput> {
  const [keys, now] = [await readSigningKeys(sql), clock()];
  const data = keys.map((key) => keyAnswer(key, stateOf(key, keys, now)));
  const rows = keys.map((key) => [
    key.kid,
    key.purpose,
    stateOf(key, keys, now),
    instantText(key.notBefore),
    key.notAfter === null ? "–" : instantText(key.notAfter),
  ]);
  return { text: tableText([["key", "purpose", "state", "signs from", "to"], ...rows]), data };
}

function rotate(purpose: KeyPurpose): Job {
  return (services) =>
    withKeys(services, async (tx, making) => {
      const kid = await rotateSigningKey(tx, purpose, making);
      await record(tx, "rotateSigningKey", kid, making.now);
      const made = (await readSigningKeys(tx)).find((key) => key.kid === kid);
      if (made === undefined) throw new Error("a key that was just made is not there");
      const from = instantText(made.notBefore);
      const until = "Until then the present one does, and what that signed stays good.";
      const text = `The ${purpose} key ${kid} signs from ${from} on. ${until}`;
      return { text, data: keyAnswer(made, "waits") };
    });
}

function revoke(kid: string): Job {
  return (services) =>
    withKeys(services, async (tx, making) => {
      if (!(await revokeSigningKey(tx, kid, making))) {
        throw new CommandError(`There is no key ${plainText(kid)}: npm run key -- list shows those there are.`);
      }
      await record(tx, "revokeSigningKey", kid, making.now);
      const keys = await readSigningKeys(tx);
      const revoked = keys.find((key) => key.kid === kid);
      if (revoked === undefined) throw new Error("a key that was just revoked is not there");
      const next = signingKeyAt(keys, revoked.purpose, making.now)?.kid ?? "";
      const text = `The key ${kid} is revoked; ${next} signs now. ${AFTER_REVOKING[revoked.purpose]}`;
      return { text, data: { ...keyAnswer(revoked, "revoked"), signs_now: next } };
    });
}

function planRevoke([kid, ...rest]: readonly string[]): Job {
  // Read without the option parser: an id may begin with a hyphen, and would be taken for an option.
  if (kid === undefined) throw new UsageError("Name the key.");
  if (rest.length > 0) throw new UsageError(`${JSON.stringify(rest[0])} is one word too many.`);
  return revoke(kid);
}

function planRotate(args: readonly string[]): Job {
  const { positionals } = readArguments(args, {}, ["purpose: token or qr"]);
  const purpose = PURPOSES.find((known) => known === positionals[0]);
  if (purpose === undefined) throw new UsageError("Say token or qr: which key is to be rotated.");
  return rotate(purpose);
}

/** `npm run key`: rotates, revokes and lists the keys that sign tokens and payment codes. */
export const keyCommand: TerminalCommand = {
  usage: USAGE,
  plan: planVerbs({ list: planPlain(list), rotate: planRotate, revoke: planRevoke }),
};
