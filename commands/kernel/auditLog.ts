import type { Presented } from '../../billing/json.ts';
import { LOOKUP_SCHEMA } from '../../db/lookups.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type ActKind, type Actor, AuditLog, countedKinds } from '../../db/schema/auditLog.ts';
import type { UsedCredential } from '../../db/schema/event.ts';
import { currentCause, currentOrigin } from '../../db/tracing.ts';
import { changed } from './record.ts';

/** Who acts. Names are those of that time: keys are revoked, and members leave. */
export interface ActingParty {
  actor: Actor;
  /** Id of the member, key, grant or customer. */
  actorId?: number | null;
  /** Name of the key or application, or the member's email address. */
  actorName?: string | null;
  /** The member who acts, or to whom the key or grant belongs. */
  memberId?: number | null;
}

/** What somebody did, or was refused. It holds no secrets. */
export interface Act {
  accountId: number;
  by: ActingParty;
  kind: ActKind;
  /** `operationId` of the API, or the name of an act on a page, such as `signIn`. */
  operation: string;
  /** The object that it is about. Absent: no single one. */
  object?: { type: string; id: number | string } | null | undefined;
  /** Why it failed or was refused. */
  reason?: string | null;
  /** A changed object as the API shows it, before and after. Only the fields that differ are kept. */
  change?: { before: Presented; after: Presented } | null;
}

/** What a customer did on one of its pages. */
export interface ActOfCustomer {
  accountId: number;
  customerId: number;
  /** Such as `payOnPage`. */
  operation: string;
  object: NonNullable<Act['object']>;
}

/** Logs what a customer did on a page, in the transaction of the act. The name is left out: the log cannot be changed when it is erased. */
export function logActOfCustomer(
  em: EntityManager,
  { accountId, customerId, operation, object }: ActOfCustomer,
  systemNow: Date,
): void {
  const by = { actor: 'customer', actorId: customerId } as const;
  logAct(em, { accountId, by, kind: 'change', operation, object }, systemNow);
}

const MOST_CHARACTERS = 255;

/**
 * Writes an act to the audit log of an account, in the transaction of the act, with the next rows that are written. The address and the
 * browser are those of the current request.
 */
export function logAct(em: EntityManager, act: Act, systemNow: Date): void {
  em.append(AuditLog, rowOf(act, systemNow));
}

/**
 * Writes a failure or a refusal. Repetitions by the same actor, from the same address and with the same outcome are counted in one row for
 * each minute. Call it in a transaction of its own: that of the refused act is rolled back.
 */
export async function logRefusal(em: EntityManager, act: Act, systemNow: Date): Promise<void> {
  const row = rowOf(act, systemNow);
  const same = [row.accountId, row.kind, row.actor, row.actorId, row.operation, row.objectType, row.objectId, row.ip];
  const [found] = await em.execute<{ id: string | null }[]>(
    `select ${LOOKUP_SCHEMA}.count_act(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) as id`,
    [...same, row.reason, systemNow],
  );
  if (found?.id == null) em.append(AuditLog, row);
}

/** An act of a person that belongs to no account, such as a sign-in. */
export interface ActOfPerson extends Omit<Act, 'accountId' | 'by'> {
  /** The only account that it concerns. Absent or null: all of the person. */
  onlyIn?: number | null;
}

/**
 * Writes an act of a person to the audit logs of all accounts in which it is an active member, or of one of them. Works as the system. `em`:
 * of a transaction of the system. Failures and refusals are counted, as `logRefusal` says.
 */
export async function logActOfPerson(
  em: EntityManager,
  personId: number,
  { onlyIn = null, ...act }: ActOfPerson,
  systemNow: Date,
): Promise<void> {
  const members = await em.execute<{ account_id: number; id: number; email: string }[]>(
    `select account_id, id, email from member
     where person_id = ? and status = 'active' and account_id = coalesce(?, account_id) order by account_id`,
    [personId, onlyIn],
  );
  for (const { account_id: accountId, id, email } of members) {
    const member: ActingParty = { actor: 'member', actorId: id, actorName: email, memberId: id };
    // Who failed may be anybody: the name is the address that was given, and the object the member whose it is.
    const visitor: ActingParty = { actor: 'visitor', actorName: email };
    const object = act.object ?? { type: 'member', id };
    if (countedKinds.includes(act.kind)) await logRefusal(em, { ...act, object, accountId, by: visitor }, systemNow);
    else logAct(em, { ...act, accountId, by: member }, systemNow);
  }
}

/** The acting party of a request with a key, with a token, or in a browser. `memberId`: the member to whom the key or grant belongs. */
export function partyOf(credential: UsedCredential | null, memberId: number | null): ActingParty {
  if (!credential) return { actor: 'system' };
  const { kind, id, name } = credential;
  if (kind === 'member') return { actor: 'member', actorId: id, actorName: name, memberId: id };
  return { actor: kind === 'api_key' ? 'api_key' : 'application', actorId: id, actorName: name, memberId };
}

/** What could be a token or a key, as in the address of a page. */
const SECRET = /[\w-]{32,}/g;

const withoutSecrets = (text: string): string => text.replace(SECRET, '…');

/** The fields of an object that differ from another one, without secrets. */
function valuesOf(object: Presented, other: Presented): Presented {
  return JSON.parse(withoutSecrets(JSON.stringify(changed(object, other))));
}

function rowOf({ accountId, by, kind, operation, object, reason, change }: Act, systemNow: Date) {
  const { actor, actorId = null, actorName = null, memberId = null } = by;
  return {
    accountId,
    createdAt: systemNow,
    kind,
    actor,
    actorId,
    actorName,
    memberId,
    operation,
    objectType: object?.type ?? null,
    objectId: object ? withoutSecrets(String(object.id)) : null,
    ...currentOrigin(),
    requestId: currentCause().requestId,
    reason: reason?.slice(0, MOST_CHARACTERS) ?? null,
    before: change ? valuesOf(change.before, change.after) : null,
    after: change ? valuesOf(change.after, change.before) : null,
    count: 1,
  };
}
