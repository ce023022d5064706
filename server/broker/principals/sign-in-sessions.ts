import type { Sql } from "../../database/connect.ts";
import { createOpaqueToken, hashToken, isOpaqueToken } from "./opaque-token.ts";
import type { OperatorPrincipal, OperatorRole, PersonPrincipal } from "./principal.ts";
import { ABSOLUTE_LIFE_SECONDS, IDLE_LIFE_SECONDS } from "./session-cookie.ts";

const OPERATOR_IDLE_SECONDS = 15 * 60;
const OPERATOR_ABSOLUTE_SECONDS = 12 * 60 * 60;
/** Activity is written down at most this often: a row is not rewritten for every request. */
const ACTIVITY_GRAIN_SECONDS = 60;

/** With what somebody signed in, and where. */
export interface SignInMeans {
  readonly passkeyId?: string;
  /** What the browser calls itself, in a few words. */
  readonly browser?: string | undefined;
}

/** Starts, finds and ends sign-ins. */
export interface SignInSessions {
  /** Starts a session and ends the one before it in the same browser; the token goes into the cookie. */
  start(personId: string, replaced: Uint8Array | undefined, how?: SignInMeans): Promise<string>;
  /** Who a cookie's token stands for, while it lives. Polling (`active: false`) does not lengthen it. */
  find(token: string, options: { readonly active: boolean }): Promise<PersonPrincipal | OperatorPrincipal | undefined>;
  end(sessionHash: Uint8Array): Promise<void>;
}

interface SessionRow {
  readonly person_id: string;
  readonly user_id: string | null;
  readonly demo: boolean;
  readonly role: "person" | "operator";
  readonly operator_role: OperatorRole | null;
  readonly passkey_id: string | null;
  readonly may_pay_from: Date | null;
  readonly created_at: Date;
  readonly last_active_at: Date;
}

function isAlive(row: SessionRow, now: Date): boolean {
  const age = (now.getTime() - row.created_at.getTime()) / 1000;
  const idle = (now.getTime() - row.last_active_at.getTime()) / 1000;
  if (row.role === "operator") return age < OPERATOR_ABSOLUTE_SECONDS && idle < OPERATOR_IDLE_SECONDS;
  return age < ABSOLUTE_LIFE_SECONDS && idle < IDLE_LIFE_SECONDS;
}

/** Keeps sign-ins in the broker's schema, as hashes. */
export function createSignInSessions(options: {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
}): SignInSessions {
  const { sql, clock, random } = options;

  async function end(sessionHash: Uint8Array): Promise<void> {
    await sql`
      update broker.sign_in_sessions set ended_at = ${clock()}
      where token_hash = ${sessionHash} and ended_at is null`;
  }

  return {
    end,
    async start(personId, replaced, { passkeyId, browser } = {}) {
      const token = createOpaqueToken("si_", random);
      const at = clock();
      await sql`
        insert into broker.sign_in_sessions
          (token_hash, person_id, passkey_id, browser, created_at, last_active_at)
        values (${hashToken(token)}, ${personId}, ${passkeyId ?? null}, ${browser ?? null}, ${at}, ${at})`;
      if (replaced !== undefined) await end(replaced);
      return token;
    },
    async find(token, { active }) {
      if (!isOpaqueToken(token)) return undefined;
      const sessionHash = hashToken(token);
      const [row] = await sql<SessionRow[]>`
        select s.person_id, p.user_id, p.demo_name is not null and k.id is null as demo, p.role, p.operator_role,
          k.id as passkey_id, k.may_pay_from, s.created_at, s.last_active_at
        from broker.sign_in_sessions s join broker.people p on p.id = s.person_id
          left join broker.passkeys k on k.id = s.passkey_id
        where s.token_hash = ${sessionHash} and s.ended_at is null and p.disabled_at is null
          and k.removed_at is null`;
      const at = clock();
      if (row === undefined || !isAlive(row, at)) return undefined;
      if (active && at.getTime() - row.last_active_at.getTime() >= ACTIVITY_GRAIN_SECONDS * 1000) {
        await sql`update broker.sign_in_sessions set last_active_at = ${at} where token_hash = ${sessionHash}`;
      }
      const { person_id: personId, user_id: userId, demo } = row;
      if (row.operator_role !== null) return { kind: "operator", personId, role: row.operator_role, sessionHash };
      if (userId === null) throw new Error(`person ${personId} is neither an operator nor a user`);
      const { passkey_id: passkeyId, may_pay_from: mayPayFrom } = row;
      return {
        ...({ kind: "person", personId, userId, demo, sessionHash } as const),
        ...(passkeyId === null ? {} : { passkeyId }),
        ...(mayPayFrom !== null && mayPayFrom > at ? { mayPayFrom } : {}),
      };
    },
  };
}
