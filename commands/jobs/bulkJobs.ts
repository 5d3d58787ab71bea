import {
  type BulkAction,
  type BulkList,
  type BulkParameters,
  bulkActOf,
  MOST_CHOSEN,
} from '../../billing/jobs/bulk.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { addRows } from '../../db/queries/reports/jobRows.ts';
import type { Job } from '../../db/schema/job.ts';
import { checkMember } from '../accounts/members.ts';
import { accountMoment, type Caller, requirePermission } from '../kernel/caller.ts';
import { askerIn, newJob, planJob, refuseTooMany } from './jobs.ts';

/** An act on many objects. */
export interface WantedBulk {
  caller: Caller;
  action: BulkAction;
  list: BulkList;
  /** What reading the list needs. */
  reading: Permission;
  parameters: BulkParameters;
  /** The objects, in the order in which they are acted on: named by the request, or found by its filter. */
  chosen: { by: 'ids' | 'query'; ids: readonly number[] };
}

/**
 * Asks a job for an act on many objects, which are fixed now. Refuses an act that the list does not have, parameters that it does not take,
 * a caller who may not do it to one object, no object and too many.
 */
export async function createBulkJob(em: EntityManager, wanted: WantedBulk, systemNow: Date): Promise<Job> {
  const { caller, action, list, reading, parameters, chosen } = wanted;
  const accountId = caller.account.id;
  checkAct(wanted);
  const permission = bulkActOf(action).permission ?? reading;
  requirePermission(caller, permission, `action=${action}`);
  await checkMember(em, caller.account, { id: parameters.owner ?? null, param: 'parameters[owner]' });
  const { by, ids } = chosen;
  if (ids.length === 0) throw new Refusal('parameter_invalid', 'There is no object to act on', by);
  if (ids.length > MOST_CHOSEN)
    throw new Refusal('limit_exceeded', `A job takes at most ${MOST_CHOSEN} objects: narrow the filter`, by);
  await refuseTooMany(em, accountId);
  const moment = accountMoment(caller, systemNow);
  const input = { action, list, permission, parameters, credential: caller.credential };
  const row = newJob(em, moment, { type: 'bulk', input, ...askerIn(caller), scheduleId: null, period: null });
  row.total = ids.length;
  await em.write();
  await addRows(em, { accountId, id: row.id }, ids);
  await planJob(em, moment, { id: row.id, at: moment.now });
  return row;
}

/** Refuses a list that does not have the act, and parameters that the act does not take or lacks. */
function checkAct({ action, list, parameters }: WantedBulk): void {
  const { lists, parameters: known, required } = bulkActOf(action);
  if (!lists.includes(list))
    throw new Refusal('parameter_invalid', `The action ${action} is for ${lists.join(', ')}, not for ${list}`, 'list');
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const unknown = given.find(([name]) => !known.some((one) => one === name));
  if (unknown)
    throw new Refusal(
      'parameter_unknown',
      `The action ${action} has no parameter ${unknown[0]}`,
      `parameters[${unknown[0]}]`,
    );
  const missing = required.find(
    (name) => parameters[name] === undefined || (parameters[name] === null && name !== 'owner'),
  );
  if (missing)
    throw new Refusal('parameter_missing', `The action ${action} needs ${missing}`, `parameters[${missing}]`);
}
