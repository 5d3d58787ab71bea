import { eventTypes } from '../../../billing/eventTypes.ts';

/**
 * SQL: the lines with which the invoices among `subjects` were created, as subjects. Lines that were pending have events of their own, even
 * if they have left the invoice since. `account`: the statement's parameter for the account.
 */
export function linesOfInvoices(subjects: string, account: '?' | '$1'): string {
  return `select 'line_item' as type, line ->> 'id' as id from event i
    join (${subjects}) s on s.type = 'invoice' and i.subject_type = s.type and i.subject_id = s.id
    cross join json_array_elements(i.object -> 'items') line where i.account_id = ${account} and i.type = 'invoice.created'`;
}

/** Types of deletion events, quoted for SQL. */
export const deletionTypes = eventTypes
  .filter((type) => type.endsWith('.deleted'))
  .map((type) => `'${type}'`)
  .join();
