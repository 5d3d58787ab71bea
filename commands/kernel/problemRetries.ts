import { isTimed } from '../../billing/processes.ts';
import type { EntityManager } from '../../db/orm.ts';
import { wakeRefusedInvoices } from '../../db/queries/charges/attempts.ts';
import { Problem } from '../../db/schema/problem.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import type { Caller } from './caller.ts';
import { Missing } from './missing.ts';
import { accountMoment } from './moment.ts';
import { PROBLEM_RULE, wakeProcess } from './waking.ts';

/**
 * Retries the step of an open problem at once instead of at the planned time. For the problem of a merchant account, charges the invoices
 * that its gateway refused. Throws Missing.
 */
export async function retryProblem(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Problem> {
  const accountId = key.caller.account.id;
  const problem = await em.findOne(Problem, { accountId, id: key.id, closedAt: null });
  if (!problem) throw new Missing('Problem', key.id);
  problem.nextTryAt = systemNow;
  problem.updatedAt = systemNow;
  const { subjectType: process, subjectId } = problem;
  if (process === 'merchant_account') await wakeRefusedInvoices(em, { accountId, id: subjectId }, systemNow);
  if (!isTimed(process)) return problem;
  await em.nativeUpdate(
    Wakeup,
    { accountId, process, subjectId, rule: PROBLEM_RULE },
    { at: systemNow, putAt: systemNow },
  );
  wakeProcess(em, accountMoment(key.caller, systemNow), { process, subjectId, clockId: null, at: systemNow });
  return problem;
}
