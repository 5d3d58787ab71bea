import { addChecks, addColumn, addIndex, type Declared, validateChecks } from './changes.ts';

/** Effects of the migrations for what customers change themselves. */
export const declaredOfSelfService = {
  '0310_self_service': {
    creates: '',
    changes: [
      addColumn('account', 'portal_changes'),
      addColumn('plan', 'portal_changes'),
      addColumn('subscription', 'cancellation_reason, cancellation_comment, customers_choices'),
      addChecks('subscription', 'reason of a cancellation'),
      addColumn('task', 'disputed_invoice_id'),
      addIndex('task', 'disputed lines'),
      addColumn('invoice', 'disputed_lines, dispute_hold_until'),
    ],
    unusedSince: null,
  },
  '0311_self_service_checks': {
    creates: '',
    changes: [validateChecks('subscription')],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
