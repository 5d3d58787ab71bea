import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { customersOnCadence, owingCustomers } from '../../db/queries/chasing/chased.ts';
import { replanCustomers } from '../../db/queries/chasing/replanning.ts';
import { Account } from '../../db/schema/account.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { planCadence } from '../catalog/chasingCadences.ts';
import { accountMoment, systemCallerOf } from '../kernel/caller.ts';
import { NOTHING, type ProcessKey, type StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue } from '../kernel/waking.ts';

/** Customers that are planned anew in one transaction. */
const SLICE = 500;

/** Plans the next customers of a changed cadence anew. One slice per transaction. */
export function advanceCadence(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'cadence', systemNow }, () => planSlice(em, key, systemNow));
}

async function planSlice(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const cadence = await lockRow(em, ChasingCadence, { accountId, id });
  if (!cadence) return NOTHING;
  const moment = accountMoment(systemCallerOf(await em.findOneOrFail(Account, accountId)), systemNow);
  const after = cadence.planningAfter ?? 0;
  const { kind } = cadence;
  const slice = { accountId, cadenceId: id, after, limit: SLICE };
  const rows = kind === 'invoice' ? await customersOnCadence(em, slice) : await owingCustomers(em, slice);
  const ids = rows.map((row) => row.id);
  await replanCustomers(em, { accountId, cadenceId: kind === 'invoice' ? null : id, ids }, systemNow);
  cadence.plannedCount += ids.length;
  const more = ids.length === SLICE;
  cadence.planningAfter = more ? (ids.at(-1) ?? null) : null;
  const planned = await planCadence(em, moment, { cadence, inside: true });
  return { ...planned, did: `planned ${ids.length} customers anew`, more, call: null };
}
