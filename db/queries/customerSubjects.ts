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

/** Types of the last event of an object that may be gone, quoted for SQL. */
export const deletionTypes = eventTypes
  .filter((type) => type.endsWith('.deleted'))
  .map((type) => `'${type}'`)
  .join();
