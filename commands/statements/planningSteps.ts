import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { replanCustomers } from '../../db/queries/chasing/replanning.ts';
import { customersAfter } from '../../db/queries/customers/scheduledStatements.ts';
import { Account } from '../../db/schema/account.ts';
import { StatementPlanning } from '../../db/schema/scheduledStatement.ts';
import { planStatementsOf } from '../accounts/statementPlanning.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { accountMoment } from '../kernel/moment.ts';
import { NOTHING, type ProcessKey, type StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue } from '../kernel/waking.ts';

/** Customers that are planned anew in one transaction. */
const SLICE = 500;

/** Plans the statements of the next customers of an account anew. One slice per transaction. */
export function advanceStatements(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'statements', systemNow }, () => planSlice(em, key, systemNow));
}

async function planSlice(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const planning = await lockRow(em, StatementPlanning, { accountId, id });
  if (!planning) return NOTHING;
  const moment = accountMoment(systemCallerOf(await em.findOneOrFail(Account, accountId)), systemNow);
  const rows = await customersAfter(em, { accountId, after: planning.planningAfter ?? 0, limit: SLICE });
  const ids = rows.map((row) => row.id);
  await replanCustomers(em, { accountId, cadenceId: null, ids }, systemNow);
  const more = ids.length === SLICE;
  Object.assign(planning, {
    plannedCount: planning.plannedCount + ids.length,
    planningAfter: more ? ids.at(-1) : null,
    updatedAt: systemNow,
  });
  const planned = await planStatementsOf(em, moment, { planning, inside: true });
  return { ...planned, did: `planned ${ids.length} customers anew`, more, call: null };
}
