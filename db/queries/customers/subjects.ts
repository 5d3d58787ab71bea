import { eventTypes } from '../../../billing/eventTypes.ts';

/** Tables with objects of customers that events are about. */
export const subjectTables = [
  'charge',
  'contact',
  'credit_balance_adjustment',
  'credit_note',
  'estimate',
  'invoice',
  'line_item',
  'note',
  'payment',
  'payment_source',
  'subscription',
  'task',
] as const;

/**
 * Lines that the invoices among subjects were made with, as subjects: those that were pending have events of their own, whether they
 * are on their invoice still or not. `account`: how the statement names it.
 */
export function linesOfInvoices(subjects: string, account: '?' | '$1'): string {
  return `select 'line_item' as type, line ->> 'id' as id from event i
    join (${subjects}) s on s.type = 'invoice' and i.subject_type = s.type and i.subject_id = s.id
    cross join json_array_elements(i.object -> 'items') line where i.account_id = ${account} and i.type = 'invoice.created'`;
}

/** Types of the last event of an object that may be gone, quoted for SQL. */
export const deletionTypes = eventTypes
  .filter((type) => type.endsWith('.deleted'))
  .map((type) => `'${type}'`)
  .join();
