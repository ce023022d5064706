import { type BrokerContract, brokerContract } from "../../../../src/contract/broker/broker.ts";
import type { ServiceContract } from "../../../../src/contract/service/service.ts";
import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import type { Call, Handler, Handlers, Reply } from "../../../../src/contract/shared/handler.ts";
import { type AnswerOf, errorsOf } from "../../../../src/contract/shared/operation.ts";
import type { Principal, PrincipalKind, PrincipalOf } from "../principal.ts";
import { type ConcernedUser, type OwnPolicy, ownPolicy } from "./own-policy.ts";
import { type Permission, type Policy, policy, type UpstreamFields, type UpstreamRecord } from "./policy.ts";
import type { Upstream, UpstreamName } from "./upstream-calls.ts";

type OperationName = keyof BrokerContract;
/** The operations of the broker that a kind of principal has. */
type GrantedOperation<K extends PrincipalKind> = keyof Policy[K] & OperationName;
/** The operations of the service that one such operation may use. */
type GrantedUpstream<K extends PrincipalKind, O extends GrantedOperation<K>> = keyof Policy[K][O] & UpstreamName;

/** A record of the service, reduced to the fields that a grant passes. */
type PassedBy<G, N extends UpstreamName> = Pick<
  UpstreamRecord<N>,
  (G extends { readonly pass: readonly (infer F)[] } ? F : never) & keyof UpstreamRecord<N>
>;

/** An answer of the service, cut down to the fields that pass. */
interface GrantedAnswer<B> {
  readonly body: B;
  readonly nextCursor: string | undefined;
  readonly syncToken: string | undefined;
}

type GrantedCall<G, N extends UpstreamName> = (
  fields: Partial<UpstreamFields<N>>,
  idempotencyKey?: string,
) => Promise<
  GrantedAnswer<AnswerOf<ServiceContract[N]> extends readonly unknown[] ? readonly PassedBy<G, N>[] : PassedBy<G, N>>
>;

/**
 * The calls of the service that the policy grants to one operation of one kind of principal, each with the arguments
 * that it may set and the fields that it gets.
 */
export type Granted<K extends PrincipalKind, O extends GrantedOperation<K>> = {
  readonly [N in GrantedUpstream<K, O>]: N extends keyof Policy[K][O] ? GrantedCall<Policy[K][O][N], N> : never;
};

/** The calls of the service that `ownPolicy` grants to one task of the broker itself, which concerns one user. */
export type GrantedOwn<K extends keyof OwnPolicy> = {
  readonly [N in keyof OwnPolicy[K] & UpstreamName]: GrantedCall<OwnPolicy[K][N], N>;
};

/**
 * A handler of one operation for one kind of principal. It gets the calls of the service that the policy grants to the
 * two.
 */
export type GatedHandler<K extends PrincipalKind, O extends GrantedOperation<K>> = (
  call: Call<BrokerContract[O], PrincipalOf<K>>,
  service: Granted<K, O>,
) => Promise<Reply<AnswerOf<BrokerContract[O]>>>;

/** The handlers of the broker, by kind of principal and operation: one for each pair that the policy has. */
export type GatedHandlers = {
  readonly [K in PrincipalKind]: { readonly [O in GrantedOperation<K>]: GatedHandler<K, O> };
};

type AnyRecord = Readonly<Record<string, unknown>>;
type AnyPermission = Permission<Principal, UpstreamName>;
type AnyHandler = (call: Call<never, Principal>, service: object) => Promise<Reply<unknown>>;

/** Not-found codes, of which a row declares one at most. */
const NOTHING_HERE: ReadonlySet<ErrorCode> = new Set(["not_found", "qr_not_found", "user_not_found"]);

/** The service returned a record of somebody else; the caller gets the row's not-found code, if it has one. */
class ForeignRecordError extends Error {
  override readonly name = "ForeignRecordError";
}

function passing(record: AnyRecord, principal: Principal, grant: AnyPermission): AnyRecord {
  if (grant.own !== undefined && !grant.own(principal, record as never)) throw new ForeignRecordError();
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => (grant.pass as readonly string[]).includes(name)),
  );
}

/** Passes refusals that the row or the grant declares; any other `ApiError` becomes `upstream_failed`. */
function refused(error: unknown, ofRow: readonly ErrorCode[], grant: AnyPermission): unknown {
  const declared = [...ofRow, ...(grant.refusals ?? [])];
  if (error instanceof ForeignRecordError) {
    const nothing = declared.find((code) => NOTHING_HERE.has(code));
    return new ApiError(nothing ?? "upstream_failed", { cause: error });
  }
  if (!(error instanceof ApiError)) return error;
  if (declared.includes(error.code)) return error;
  return new ApiError("upstream_failed", { cause: error.cause ?? error });
}

function grantedCall(
  upstream: Upstream,
  ofRow: readonly ErrorCode[],
  name: UpstreamName,
  grant: AnyPermission,
  who: Principal,
) {
  return async (fields: AnyRecord, idempotencyKey?: string): Promise<GrantedAnswer<unknown>> => {
    try {
      const answer = await upstream.call(
        name,
        { ...fields, ...(grant.set?.(who) as AnyRecord | undefined) },
        idempotencyKey,
        grant.takesRecent,
      );
      const body: unknown = answer.body;
      const passed = Array.isArray(body)
        ? body.map((record) => passing(record as AnyRecord, who, grant))
        : passing(body as AnyRecord, who, grant);
      return { body: passed, nextCursor: answer.nextCursor, syncToken: answer.syncToken };
    } catch (error) {
      throw refused(error, ofRow, grant);
    }
  };
}

type AnyPermissions = Readonly<Record<string, AnyPermission>>;

function permissionsOf(kind: PrincipalKind, operation: OperationName): AnyPermissions | undefined {
  return (policy[kind] as object as Readonly<Record<string, AnyPermissions>>)[operation];
}

function serviceOf(upstream: Upstream, who: Principal, ofRow: readonly ErrorCode[], grants: AnyPermissions): object {
  return Object.fromEntries(
    Object.entries(grants).map(([name, grant]) => [
      name,
      grantedCall(upstream, ofRow, name as UpstreamName, grant, who),
    ]),
  );
}

/**
 * Returns the calls of the service that `ownPolicy` grants to a task of the broker itself (`kind`), bound to the user
 * whom the task concerns; there need be no principal.
 */
export function grantOwn<K extends keyof OwnPolicy>(upstream: Upstream, kind: K, userId: string): GrantedOwn<K> {
  const user: ConcernedUser = { userId };
  return serviceOf(upstream, user as never, ["unavailable"], ownPolicy[kind] as never) as GrantedOwn<K>;
}

/**
 * Returns the calls of the service that the policy grants to an operation of a principal, as {@link gateHandlers} gives
 * them to its handler; for tests of code behind a handler.
 */
export function grantedService<K extends PrincipalKind, O extends GrantedOperation<K>>(
  upstream: Upstream,
  principal: PrincipalOf<K> & { readonly kind: K },
  operation: O,
): Granted<K, O> {
  const grants = permissionsOf(principal.kind, operation) ?? {};
  return serviceOf(upstream, principal, errorsOf(brokerContract[operation]), grants) as Granted<K, O>;
}

/**
 * Turns the handlers, one for each kind of principal and operation, into one handler for each operation of the
 * contract: a kind of principal without an entry for the operation in the policy gets 404, and the handler of one with
 * an entry gets only the calls of the service that the entry grants.
 */
export function gateHandlers(handlers: GatedHandlers, upstream: Upstream): Handlers<BrokerContract, Principal> {
  const gated = (Object.keys(brokerContract) as OperationName[]).map((operation) => {
    const ofRow = errorsOf(brokerContract[operation]);
    const handler: Handler<never, Principal> = async (call) => {
      const { principal } = call;
      const grants = permissionsOf(principal.kind, operation);
      if (grants === undefined) throw new ApiError("not_found");
      const own = (handlers[principal.kind] as Readonly<Record<string, AnyHandler>>)[operation];
      if (own === undefined) throw new Error(`no handler for ${principal.kind} × ${operation}`);
      return own(call, serviceOf(upstream, principal, ofRow, grants)) as never;
    };
    return [operation, handler];
  });
  return Object.fromEntries(gated) as Handlers<BrokerContract, Principal>;
}
