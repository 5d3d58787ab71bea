import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import { deleteCustomerRows, reasonToKeep } from '../db/queries/customerDeletion.ts';
import type { Caller } from './caller.ts';
import { recordCustomer } from './customers.ts';
import { lockMoment } from './moment.ts';

/** Deletes a customer that nothing was ever billed to or paid by, with its contacts, notes, tasks and drafts. Throws Missing. */
export async function deleteCustomer(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<void> {
  const { customer, moment } = await lockMoment(em, { caller, customerId: id }, systemNow);
  const { accountId } = customer;
  const reason = await reasonToKeep(em, { accountId, id });
  if (reason)
    throw new Refusal(`Customer ${id} has ${reason} and cannot be deleted: deactivate it with active: false instead`);
  recordCustomer(em, moment, { customer, type: 'customer.deleted' });
  await em.flush();
  await deleteCustomerRows(em, { accountId, id });
}
