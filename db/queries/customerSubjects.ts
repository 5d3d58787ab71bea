import { eventTypes } from '../../billing/eventTypes.ts';

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

/** Where rows of such a table are that belong to a customer: lines that were pending once belong to that of their invoice. */
export function subjectsIn(table: (typeof subjectTables)[number]): string {
  if (table !== 'line_item') return table;
  return `(select account_id, id, customer_id from line_item where customer_id is not null
    union all select l.account_id, l.id, i.customer_id from line_item l join invoice i on i.account_id = l.account_id and i.id = l.invoice_id
      where l.event_count > 0) line_item`;
}

/** Types of the last event of an object that may be gone, quoted for SQL. */
export const deletionTypes = eventTypes
  .filter((type) => type.endsWith('.deleted'))
  .map((type) => `'${type}'`)
  .join();
