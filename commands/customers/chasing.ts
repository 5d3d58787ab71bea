import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Chase } from '../../db/schema/chase.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { cadenceOf, cadencesOf, conditionFactsOf, newChase } from '../aggregates/chasing.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** The cadence that a request names. Refuses one that the account does not have. */
export async function findNamedCadence(
  em: EntityManager,
  accountId: number,
  id: number | null,
): Promise<ChasingCadence | null> {
  const cadence = id === null ? null : await em.findOne(ChasingCadence, { accountId, id, kind: 'customer' });
  if (id !== null && !cadence)
    throw new Refusal('resource_missing', `Chasing cadence was not found: ${id}`, 'chasing_cadence');
  return cadence;
}

/** The fields of a customer that decide how it is chased and when it gets its statement, as text. Both are planned anew after a change. */
export function chasingFactsOf(customer: Customer): string {
  const { chase, creditHold, chasingCadence, statementDay } = customer;
  const own = [chase, creditHold, chasingCadence?.id ?? null, statementDay ?? null];
  return JSON.stringify([...own, conditionFactsOf(customer)]);
}

/**
 * Makes a step the next one of a locked customer, as if the steps before it were taken; null: the first. Returns whether that differs. Refuses
 * a step that its cadence does not have.
 */
export async function moveToStep(
  em: EntityManager,
  locked: LockedCustomer,
  stepId: number | null | undefined,
): Promise<boolean> {
  const { customer } = locked;
  if (stepId === undefined || stepId === (customer.nextChaseStepId ?? null)) return false;
  await startAtStep(em, locked, stepId);
  return true;
}

export async function startAtStep(
  em: EntityManager,
  { customer, moment }: Pick<LockedCustomer, 'customer' | 'moment'>,
  stepId: number | null,
): Promise<void> {
  const { accountId, id } = customer;
  const steps = cadenceOf(customer, await cadencesOf(em, accountId))?.steps ?? [];
  const position = stepId === null ? 0 : steps.findIndex((step) => step.id === stepId);
  if (position < 0)
    throw new Refusal(
      'resource_missing',
      `Chase step was not found in the cadence of the customer: ${stepId}`,
      'next_chase_step',
    );
  const taken = steps.slice(0, position).map((step) => step.id);
  const chase = (await em.findOne(Chase, { accountId, id })) ?? newChase(em, { customer, moment });
  Object.assign(chase, { taken, updatedAt: moment.now });
  customer.nextChaseStepId = steps[position]?.id ?? null;
}
