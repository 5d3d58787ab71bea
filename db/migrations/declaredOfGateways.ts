import { addChecks, addColumn, addIndex, addReference, type Declared, validateChecks } from './changes.ts';
import type { MigrationName } from './names.ts';

/** Effects of migrations about payment gateways. */
export const declaredOfGateways = {
  '0206_sent_attempts': {
    creates: '',
    changes: [addColumn('attempt', 'sent_at'), addChecks('charge', 'amount_refunded')],
    unusedSince: null,
  },
  '0207_refunded_checks': { creates: '', changes: [validateChecks('charge')], unusedSince: null },
  '0208_attempts_not_made': {
    creates: '',
    changes: [addIndex('attempt', 'attempts that were not made')],
    unusedSince: null,
  },
  '0209_event_secrets': {
    creates: '',
    changes: [addIndex('gateway_event', 'events with client secrets')],
    unusedSince: null,
  },
  '0210_gateway_customers': {
    creates: 'table gateway_customer',
    changes: [addReference('customer', 'gateway_customer')],
    unusedSince: null,
  },
  '0215_shown_charges': { creates: '', changes: [addColumn('attempt', 'shown')], unusedSince: null },
  '0222_uncertain_outcomes': {
    creates: '',
    changes: [addColumn('charge', 'uncertain'), addColumn('refund', 'uncertain')],
    unusedSince: null,
  },
} satisfies Partial<Record<MigrationName, Declared>>;
