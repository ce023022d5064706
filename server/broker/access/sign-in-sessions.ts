import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { isFrozen } from "./freeze-store.ts";
import { createOpaqueToken, hashToken, isOpaqueToken } from "./opaque-token.ts";
import type { AuthenticationMethod, OperatorPrincipal, OperatorRole, PersonPrincipal } from "./principal.ts";
import { ABSOLUTE_LIFE_SECONDS, IDLE_LIFE_SECONDS } from "./session-cookie.ts";

const OPERATOR_IDLE_SECONDS = 15 * 60;
const OPERATOR_ABSOLUTE_SECONDS = 12 * 60 * 60;
/** Activity is recorded at most this often: a row is not rewritten for every request. */
const ACTIVITY_GRAIN_SECONDS = 60;

/** The passkey and the browser of a sign-in. */
interface SignInMeans {
  readonly passkeyId?: string;
  /** The browser's name and system. */
  readonly browser?: string | undefined;
}

/**
 * A live sign-in session as {@link SignInSessions.list} returns it: its times, browser and passkey. Its owner is not
 * shown the hash, nor the passkey's id.
 */
export interface ListedSession {
  readonly id: string;
  readonly sessionHash: Uint8Array;
  readonly browser: string | null;
  readonly passkeyId: string | null;
  /** The name of the passkey that it was started with. */
  readonly device: string | null;
  readonly createdAt: Date;
  readonly lastActiveAt: Date;
}

/** Starts, finds, locks, lists and ends sign-in sessions. */
export interface SignInSessions {
  /** Starts a session and ends the one before it in the same browser; the token goes into the cookie. */
  start(personId: string, replaced: Uint8Array | undefined, how?: SignInMeans): Promise<string>;
  /** Finds the owner of a cookie's token, while it lives. Polling (`active: false`) does not lengthen it. */
  find(token: string, options: { readonly active: boolean }): Promise<PersonPrincipal | OperatorPrincipal | undefined>;
  /** Locks a session; true if it lives. A transaction that ends it waits until this one is done. */
  hold(tx: Tx, sessionHash: Uint8Array): Promise<boolean>;
  /** Finds the operator of a session, while it lives. */
  operatorOf(sessionHash: Uint8Array): Promise<string | undefined>;
  /** The live sessions of a person, latest first. */
  list(personId: string): Promise<readonly ListedSession[]>;
  end(sessionHash: Uint8Array): Promise<void>;
}

interface SessionRow extends ListedSession {
  readonly personId: string;
  readonly userId: string | null;
  readonly method: AuthenticationMethod;
  /** Null for a person. */
  readonly role: OperatorRole | null;
  readonly mayPayFrom: Date | null;
}

function isAlive(row: SessionRow, now: Date): boolean {
  const age = (now.getTime() - row.createdAt.getTime()) / 1000;
  const idle = (now.getTime() - row.lastActiveAt.getTime()) / 1000;
  if (row.role !== null) return age < OPERATOR_ABSOLUTE_SECONDS && idle < OPERATOR_IDLE_SECONDS;
  return age < ABSOLUTE_LIFE_SECONDS && idle < IDLE_LIFE_SECONDS;
}

/** The store of sessions, and the methods of those that are live. */
interface Sessions {
  readonly sql: Sql | Tx;
  readonly methods: readonly AuthenticationMethod[];
}

/**
 * Reads the live sessions: not ended, their passkey not removed, their person neither disabled nor frozen, and not too
 * old. Sessions that the demo began without a passkey end with the demo: their cookies must not open the same data in
 * production.
 */
async function liveSessions({ sql, methods }: Sessions, which: SqlPart, now: Date): Promise<readonly SessionRow[]> {
  const rows = await sql<SessionRow[]>`
    select s.id, s.token_hash as "sessionHash", s.person_id as "personId", p.user_id as "userId",
      p.operator_role as role, k.id as "passkeyId", k.name as device,
      case when p.demo_name is not null and k.id is null then 'button' else 'passkey' end as method,
      s.browser, k.may_pay_from as "mayPayFrom", s.created_at as "createdAt", s.last_active_at as "lastActiveAt"
    from broker.sign_in_sessions s join broker.people p on p.id = s.person_id
      left join broker.passkeys k on k.id = s.passkey_id
    where ${which} and s.ended_at is null and p.disabled_at is null and k.removed_at is null
      and not ${isFrozen(sql, sql`p.user_id`)} and (${methods.includes("button")} or s.passkey_id is not null)
    order by s.last_active_at desc, s.id`;
  return rows.filter((row) => isAlive(row, now));
}

function toPrincipal(row: SessionRow, now: Date): PersonPrincipal | OperatorPrincipal {
  const { personId, userId, role, method, sessionHash, passkeyId, mayPayFrom } = row;
  if (role !== null) return { kind: "operator", personId, role, sessionHash };
  if (userId === null) throw new Error(`person ${personId} is neither an operator nor a user`);
  return {
    ...({ kind: "person", personId, userId, method, sessionHash } as const),
    ...(passkeyId === null ? {} : { passkeyId }),
    ...(mayPayFrom !== null && mayPayFrom > now ? { mayPayFrom } : {}),
  };
}

/** Ends one sign-in session; returns false if it had been ended before. */
export async function endSession(sql: Sql | Tx, sessionHash: Uint8Array, at: Date): Promise<boolean> {
  const ended = await sql`
    update broker.sign_in_sessions set ended_at = ${at} where token_hash = ${sessionHash} and ended_at is null
    returning id`;
  return ended.length > 0;
}

/** Ends the sign-in sessions that a passkey started. */
export async function endSessionsOfPasskey(tx: Tx, passkeyId: string, at: Date): Promise<void> {
  await tx`update broker.sign_in_sessions set ended_at = ${at} where passkey_id = ${passkeyId} and ended_at is null`;
}

/** Ends every sign-in session of a person. */
export async function endSessionsOf(tx: Tx, personId: string, at: Date): Promise<void> {
  await tx`update broker.sign_in_sessions set ended_at = ${at} where person_id = ${personId} and ended_at is null`;
}

/** Makes the store of sign-in sessions in `broker.sign_in_sessions`, which has only hashes of their tokens. */
export function createSignInSessions(
  options: Sessions & {
    readonly sql: Sql;
    readonly clock: () => Date;
    readonly random: (length: number) => Uint8Array;
  },
): SignInSessions {
  const { sql, clock, random } = options;

  async function end(sessionHash: Uint8Array): Promise<void> {
    await endSession(sql, sessionHash, clock());
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
      const at = clock();
      const [row] = await liveSessions(options, sql`s.token_hash = ${hashToken(token)}`, at);
      if (row === undefined) return undefined;
      if (active && at.getTime() - row.lastActiveAt.getTime() >= ACTIVITY_GRAIN_SECONDS * 1000) {
        await sql`update broker.sign_in_sessions set last_active_at = ${at} where token_hash = ${row.sessionHash}`;
      }
      return toPrincipal(row, at);
    },
    async hold(tx, sessionHash) {
      const [, live] = await Promise.all([
        tx`select from broker.sign_in_sessions where token_hash = ${sessionHash} for share`.execute(),
        liveSessions({ ...options, sql: tx }, tx`s.token_hash = ${sessionHash}`, clock()),
      ]);
      return live.length > 0;
    },
    async operatorOf(sessionHash) {
      const [row] = await liveSessions(options, sql`s.token_hash = ${sessionHash}`, clock());
      return row === undefined || row.role === null ? undefined : row.personId;
    },
    list: (personId) => liveSessions(options, sql`s.person_id = ${personId}`, clock()),
  };
}
