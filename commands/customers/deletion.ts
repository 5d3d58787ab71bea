import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { deleteCustomerRows, draftsOf, reasonToKeep } from '../../db/queries/customers/deletion.ts';
import { creditNoteEventObject, lockCreditNotes, recordCreditNote } from '../aggregates/creditNote.ts';
import { estimateEventObject, lockEstimates, recordEstimate } from '../aggregates/estimate.ts';
import { invoiceEventObject, lockInvoices, recordInvoice } from '../aggregates/invoice.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer } from '../kernel/lockedCustomer.ts';
import { recordCustomer } from './customers.ts';

/**
 * Deletes a customer with its contacts, notes, tasks, emails and drafts. Refuses for the reasons of `reasonToKeep`. Throws Missing.
 */
export async function deleteCustomer(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<void> {
  const locked = await lockCustomer(em, { caller, customerId: id }, systemNow);
  const { customer, moment } = locked;
  const { accountId } = customer;
  const reason = await reasonToKeep(em, { accountId, id });
  if (reason)
    throw new Refusal(
      'in_use',
      `Customer ${id} has ${reason} and cannot be deleted: deactivate it with active: false instead`,
    );
  await recordDrafts(em, locked);
  recordCustomer(em, moment, { customer, type: 'customer.deleted' });
  await em.write();
  await deleteCustomerRows(em, { accountId, id, now: moment.now });
}

/** Records the deletion event of each draft. */
async function recordDrafts(em: EntityManager, locked: LockedCustomer): Promise<void> {
  const { accountId, id } = locked.customer;
  const ids = await draftsOf(em, { accountId, id });
  for (const one of await lockEstimates(em, locked, ids.estimate))
    recordEstimate(em, one, { type: 'estimate.deleted', before: estimateEventObject(one) });
  for (const one of await lockInvoices(em, locked, ids.invoice))
    recordInvoice(em, one, { type: 'invoice.deleted', before: invoiceEventObject(one) });
  for (const one of await lockCreditNotes(em, locked, ids.creditNote))
    recordCreditNote(em, one, { type: 'credit_note.deleted', before: creditNoteEventObject(one) });
}
