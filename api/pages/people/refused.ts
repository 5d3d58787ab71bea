import { type Act, logActOfPerson, logRefusal } from '../../../commands/kernel/auditLog.ts';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { findPersonSession } from '../../../db/queries/accounts/people.ts';
import type { Person } from '../../../db/schema/person.ts';
import { asSystem } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ApiDeps } from '../../framework/deps.ts';

export type Logging = Pick<ApiDeps, 'em' | 'systemNow' | 'log'>;

/**
 * Writes to the audit log that a request or form with the cookie of a session did not come from a page of ours: in one account, or in all of
 * the person. Who sent it is not known. False: the cookie has no session, so it belongs to nobody.
 */
export async function logForeignRequest(
  deps: Logging,
  { cookie, onlyIn }: { cookie: string; onlyIn: number | null },
  reason: string,
): Promise<boolean> {
  const act = { kind: 'refusal', operation: 'authenticate', reason, onlyIn } as const;
  const now = deps.systemNow();
  const isKnown = await logged(deps, async (em) => {
    const session = await findPersonSession(em, hashSecret(cookie), now);
    if (session) await logActOfPerson(em, session.personId, act, now);
    return session !== null;
  });
  return isKnown ?? true;
}

/** Writes to the audit log that a page refuses a member what it may not do. */
export async function logRefusedOnPage(deps: Logging, act: Pick<Act, 'accountId' | 'by' | 'reason'>): Promise<void> {
  const refusal = { ...act, kind: 'refusal', operation: 'usePage' } as const;
  await logged(deps, (em) => logRefusal(em, refusal, deps.systemNow()));
}

/**
 * Logs what a visitor failed to do, in the accounts of the person that it is about, if there is one: beside the answer, so that its time does
 * not tell.
 */
export function noteFailure(
  deps: Logging,
  { operation, reason }: { operation: string; reason: string },
  find: (em: EntityManager) => Promise<Person | null>,
): void {
  const noted = inTransaction(deps.em, async (em) => {
    const person = await find(em);
    if (person) await logActOfPerson(em, person.id, { kind: 'failure', operation, reason }, deps.systemNow());
  });
  noted.catch((error: unknown) => deps.log.error({ err: error }, 'a failure was not logged'));
}

/** The caller is refused in any case, also if the log cannot be written: null. */
async function logged<Result>(deps: Logging, work: (em: EntityManager) => Promise<Result>): Promise<Result | null> {
  try {
    return await asSystem(() => inTransaction(deps.em, work));
  } catch (error) {
    unlogged(deps, error);
    return null;
  }
}

export function unlogged({ log }: Pick<Logging, 'log'>, error: unknown): void {
  log.error({ err: error }, 'a refusal could not be written to the audit log');
}
