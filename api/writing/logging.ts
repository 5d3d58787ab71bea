import type { Presented } from '../../billing/json.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import { type Act, logAct, partyOf } from '../../commands/kernel/auditLog.ts';
import type { EntityManager } from '../../db/orm.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { type Account, liveIdOf } from '../../db/schema/account.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { Kind } from '../framework/kind.ts';
import { pathKey } from '../framework/route.ts';
import { objectType, typeIn } from '../framework/shape.ts';
import { isResource } from '../framework/stored.ts';

/** A write that has been made, for the audit log. */
export interface Made {
  /** The body of its answer, without expansions. */
  body: Presented | Presented[] | null;
  /** Whether the body contains a secret that only this answer shows. */
  sealed?: boolean | undefined;
  /** A setting as the API showed it before. Absent or null: the write changes no setting, or created it. */
  before?: Presented | null | undefined;
}

/** Who makes a request, and what it asks for, as the audit log names it. */
function actOf({ caller, operation }: ApiRequest): Pick<Act, 'accountId' | 'by' | 'operation'> {
  return { accountId: caller.account.id, by: partyOf(caller.credential, caller.member?.id ?? null), operation };
}

/** The account in whose log an act belongs. Members and roles belong to the live account, also when the sandbox changes them. */
export function loggingAccountId(account: Account, needed: Permission | null): number {
  return needed === 'people.write' ? liveIdOf(account) : account.id;
}

/** Areas whose changes the log shows with their values. The changes of other objects are in their events. */
const WITH_VALUES = /^(settings|developers|people)\./;

/** Logs a write in its transaction. The row goes with the next rows that are written. */
export function logWrite(em: EntityManager, request: ApiRequest, made: Made, systemNow: Date): void {
  const { body, sealed = false, before } = made;
  const shown = Array.isArray(body) ? null : body;
  const hasValues = shown !== null && !sealed && WITH_VALUES.test(request.permission ?? '');
  const isChange = before != null || request.answer.statusCode === 201;
  logAct(
    em,
    {
      ...actOf(request),
      accountId: loggingAccountId(request.caller.account, request.permission),
      kind: sealed ? 'secret' : 'change',
      object: objectOf(request, shown),
      change: hasValues && isChange ? { before: before ?? {}, after: shown } : null,
    },
    systemNow,
  );
}

/** Logs that data leaves as a file: a paper, or a list as CSV. The entry is there before the first byte leaves. */
export async function logExport(request: ApiRequest): Promise<void> {
  const { em, systemNow } = request.deps;
  const act = { ...actOf(request), kind: 'export' as const, object: objectOf(request, null) };
  await inTransaction(em, async (inner) => logAct(inner, act, systemNow()));
}

/** The object of an answer, or else the one in the path. */
function objectOf({ params, answer, operation }: ApiRequest, shown: Presented | null): Act['object'] {
  const { object, id } = shown ?? {};
  const kind = 'kind' in answer ? answer.kind : null;
  const type = objectType(kind ? kind.shape.name : operation.replace(/^[a-z]+/, ''));
  if (typeof object === 'string' && (typeof id === 'number' || typeof id === 'string'))
    return { type: saysObjects(kind) ? type : object, id };
  return params.id === undefined ? null : { type, id: params.id };
}

/** Whether the field `object` is not the type of the object: that of a custom field is the type of the objects that have it. */
function saysObjects(kind: Kind | null): boolean {
  return kind !== null && !('oneOf' in kind.shape) && typeIn(kind.shape) === null;
}

/** The setting in the path as the API shows it now, for the values before a change. Null: it is no setting, or it does not exist. */
export async function shownBefore(em: EntityManager, request: ApiRequest): Promise<Presented | null> {
  const kind = 'kind' in request.answer ? request.answer.kind : null;
  if (request.method !== 'PATCH' || !WITH_VALUES.test(request.permission ?? '')) return null;
  if (request.params.id === undefined || !isResource(kind)) return null;
  const reading = readingOf(em, request.caller.account.id);
  const { row, from, idColumn, present } = kind;
  const where = condition(`${idColumn} = ?`, pathKey(request, kind));
  const found = await reading.slice({ row, from, where, order: [], limit: 1, offset: 0 });
  const [shown = null] = await present(
    reading,
    found.map((placed) => placed.row),
  );
  return shown;
}
