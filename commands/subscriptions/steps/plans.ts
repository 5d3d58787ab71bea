import type { EntityManager } from '../../../db/orm.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { unknownCode } from '../../catalog/codes.ts';

/** The plan that a request names, with its item. Refuses a plan that does not exist or was deleted. */
export async function findPlan(
  em: EntityManager,
  { accountId, code }: { accountId: number; code: string },
): Promise<Plan> {
  const plan = await em.findOne(Plan, { accountId, code, archivedAt: null }, { populate: ['item'] });
  if (!plan) throw await unknownCode(em, { accountId, code, kind: 'plan', param: 'plan' });
  return plan;
}
