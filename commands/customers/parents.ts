import type { ErrorCode } from '../../billing/errorCodes.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { levelsBelow, lineOf } from '../../db/queries/customers/tree.ts';
import { Customer } from '../../db/schema/customer.ts';

/** Maximum number of levels of a family, the top and the bottom included. */
export const MOST_LEVELS = 10;

/**
 * Finds and checks the new parent of a customer. The caller has locked the tree. `id` null: the customer is new. Refuses an unknown parent,
 * one on another test clock, a loop, and more than ten levels.
 */
export async function parentFor(
  em: EntityManager,
  child: { accountId: number; id: number | null; clockId: number | null },
  parentId: number,
): Promise<Customer> {
  const { accountId, id, clockId } = child;
  const refuse = (code: ErrorCode, message: string): never => {
    throw new Refusal(code, message, 'parent_customer');
  };
  const parent = await em.findOne(Customer, { accountId, id: parentId });
  if (!parent) return refuse('resource_missing', `Customer was not found: ${parentId}`);
  if ((parent.testClock?.id ?? null) !== clockId)
    return refuse(
      'state_conflict',
      `Customer ${parentId} is on another test clock: a parent and its children must have the same one`,
    );
  const line = await lineOf(em, { accountId, id: parentId });
  if (id !== null && line.includes(id))
    return refuse(
      'state_conflict',
      `Customer ${parentId} is ${parentId === id ? 'the customer itself' : `a descendant of customer ${id}`}`,
    );
  const levels = line.length + (id === null ? 1 : await levelsBelow(em, { accountId, id }));
  if (levels > MOST_LEVELS)
    return refuse('limit_exceeded', `A family can have at most ${MOST_LEVELS} levels, not ${levels}`);
  return parent;
}
