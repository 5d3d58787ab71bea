import {
  addChecks,
  addColumn,
  addIndex,
  addReference,
  type Declared,
  dropIndex,
  readRows,
  updateRows,
  validateChecks,
} from './changes.ts';
import { declaredEarlier } from './declaredEarlier.ts';
import type { MigrationName } from './names.ts';

/** Effects of each migration. `test/unit/migrationsDeclared.test.ts` compares it with what PostgreSQL does. */
export const declared: Record<MigrationName, Declared> = {
  ...declaredEarlier,
  '0016_matches': {
    creates: '',
    changes: [
      addColumn('payment', 'matched, matches_refused, statement_key'),
      addIndex('payment', 'matched, senders, and rows of statements'),
      addIndex('invoice', 'balances of open invoices'),
      addIndex('customer', 'names in lower case'),
    ],
    unusedSince: null,
    harmlessChecks: { payment_statement_key: 'no payment of the version before has a row of a statement' },
  },
  '0017_gateway_events': {
    creates: 'tables gateway_event, dispute',
    changes: [
      addColumn('task', 'dispute_id'),
      addIndex('task', 'disputes'),
      addColumn('attempt', 'reversal_look_ups'),
      addColumn('charge', 'amount_lost, disputed, returned_at, gateway_fee'),
      addChecks('charge', 'amount_lost and gateway_fee'),
      addReference('attempt', 'gateway_event'),
      addReference('charge', 'dispute'),
    ],
    unusedSince: null,
  },
  '0018_gateway_event_checks': {
    creates: '',
    changes: [validateChecks('charge')],
    unusedSince: null,
  },
  '0019_autopay_sources': {
    creates: '',
    changes: [
      addColumn('customer', 'autopay_fallback'),
      addColumn('payment_source', 'expiry_noticed_for'),
      addColumn('attempt', 'is_fallback'),
    ],
    unusedSince: null,
  },
  '0020_card_expiry_waits': {
    creates: '',
    changes: [
      updateRows('wakeup', 'plan the notices of cards that AutoPay charges'),
      readRows('payment_source', 'read the cards'),
      readRows('customer', 'read who has AutoPay'),
      readRows('account', 'read the time zones'),
      readRows('test_clock', 'read their times'),
    ],
    unusedSince: null,
  },
  '0021_convenience_fees': {
    creates: '',
    changes: [
      addColumn('attempt', 'convenience_fee'),
      addChecks('attempt', 'convenience_fee'),
      addColumn('charge', 'convenience_fee'),
      addChecks('charge', 'convenience_fee'),
      addColumn('refund', 'from_fee'),
      addChecks('refund', 'from_fee'),
      addColumn('dispute', 'from_fee'),
      addChecks('dispute', 'from_fee'),
      addChecks('payment_application', 'type and target'),
    ],
    unusedSince: null,
    harmlessChecks: {
      attempt_fee: 'attempts of the version before have no fee',
      charge_fee: 'charges of the version before have no fee, and the amount of a charge never changes',
    },
  },
  '0022_convenience_fee_checks': {
    creates: '',
    changes: [
      validateChecks('attempt'),
      validateChecks('charge'),
      validateChecks('refund'),
      validateChecks('payment_application'),
      validateChecks('dispute'),
    ],
    unusedSince: null,
  },
  '0023_usage_index': {
    creates: '',
    changes: [addIndex('usage_record', 'unbilled usage'), dropIndex('usage_record')],
    unusedSince: null,
  },
  '0024_customer_problems': {
    creates: '',
    changes: [addIndex('problem', 'open problems'), dropIndex('problem')],
    unusedSince: null,
    harmlessChecks: { problem_open_once: 'it demands less than the index that it replaces' },
  },
  '0025_merchant_accounts': {
    creates: 'table merchant_account',
    changes: [
      addColumn('customer', 'card_merchant_account_id, bank_merchant_account_id'),
      addChecks('customer', 'merchant accounts'),
      addIndex('customer', 'merchant accounts'),
    ],
    unusedSince: null,
    harmlessChecks: {
      customer_account_id_card_merchant_account_id_foreign: 'customers of the version before have no merchant account',
      customer_account_id_bank_merchant_account_id_foreign: 'customers of the version before have no merchant account',
    },
  },
  '0026_merchant_account_checks': {
    creates: '',
    changes: [
      validateChecks('customer'),
      { table: 'merchant_account', does: 'look its rows up', lock: 'ROW SHARE', work: 'catalog' },
    ],
    unusedSince: null,
  },
  '0027_payment_methods': {
    creates: 'table payment_method',
    changes: [],
    unusedSince: null,
  },
  '0028_service_tokens': {
    creates: 'table service_token',
    changes: [],
    unusedSince: null,
  },
  '0029_present_payers': {
    creates: '',
    changes: [
      addColumn('attempt', 'payer, sealed_challenge'),
      addChecks('attempt', 'state and waiting'),
      addIndex('attempt', 'attempts without an outcome'),
      dropIndex('attempt'),
    ],
    unusedSince: null,
    harmlessChecks: {
      attempt_waiting: 'the version before knows no attempt that waits',
    },
  },
  '0030_present_payer_checks': { creates: '', changes: [validateChecks('attempt')], unusedSince: null },
  '0031_payment_consents': {
    creates: 'table payment_consent',
    changes: [addReference('customer', 'payment_consent'), addReference('attempt', 'payment_consent')],
    unusedSince: null,
  },
  '0032_page_tokens': {
    creates: '',
    changes: [
      addColumn('customer', 'token'),
      { table: 'customer', does: 'give new rows a token', lock: 'ACCESS EXCLUSIVE', work: 'catalog' },
      addColumn('subscription', 'token'),
      { table: 'subscription', does: 'give new rows a token', lock: 'ACCESS EXCLUSIVE', work: 'catalog' },
    ],
    unusedSince: null,
  },
  '0033_subscription_tokens': {
    creates: '',
    changes: [updateRows('subscription', 'give the rows from before their tokens')],
    unusedSince: null,
  },
  '0034_payment_plans': {
    creates: 'table payment_plan',
    changes: [
      addColumn('invoice', 'payment_plan_id'),
      addReference('customer', 'payment_plan'),
      addReference('invoice', 'payment_plan'),
    ],
    unusedSince: null,
  },
  '0035_receipt_names': {
    creates: '',
    changes: [addColumn('attempt', 'receipt_name')],
    unusedSince: null,
  },
  '0036_late_fee_schedules': {
    creates: 'table late_fee_schedule',
    changes: [],
    unusedSince: null,
  },
  '0037_plan_approvals': {
    creates: '',
    changes: [addColumn('payment_plan', 'approval_token'), addColumn('payment_plan', 'approval')],
    unusedSince: null,
  },
  '0038_late_fees': {
    creates: 'table late_fee',
    changes: [addColumn('invoice', 'late_fee_at, late_fees_planned'), addReference('invoice', 'late_fee')],
    unusedSince: null,
  },
  '0039_late_fee_reviews': {
    creates: '',
    changes: [addColumn('invoice', 'last_late_fee_at, late_fee_review_at')],
    unusedSince: null,
  },
  '0040_late_fee_review_notes': {
    creates: '',
    changes: [addColumn('credit_note', 'late_fee_review')],
    unusedSince: null,
  },
  '0041_planned_late_fees': {
    creates: '',
    changes: [updateRows('invoice', 'plan no late fees of invoices that are past due already')],
    unusedSince: null,
  },
  '0045_promises': {
    creates: '',
    changes: [
      addColumn('task', 'promised_invoice_id'),
      addIndex('task', 'broken promises'),
      addColumn('invoice', 'promise, expected_payment_at, expected_payment_method, expected_payment_reference'),
      addChecks('invoice', 'promise'),
    ],
    unusedSince: null,
  },
  '0046_promise_checks': {
    creates: '',
    changes: [validateChecks('invoice')],
    unusedSince: null,
  },
  '0048_reminder_addresses': {
    creates: 'table reminder_address',
    changes: [addReference('customer', 'reminder_address'), addColumn('email', 'unsubscribe_url')],
    unusedSince: null,
  },
  '0050_chasing': {
    creates: 'tables chasing_cadence, reminder, chase',
    changes: [
      addColumn('customer', 'chase, chasing_cadence_id, next_chase_step_id'),
      addChecks('customer', 'chasing cadence'),
      addReference('customer', 'reminder, chase'),
    ],
    unusedSince: null,
    harmlessChecks: {
      customer_account_id_chasing_cadence_id_foreign: 'customers of the version before name no cadence',
    },
  },
  '0051_chasing_references': {
    creates: '',
    changes: [
      validateChecks('customer'),
      { table: 'chasing_cadence', does: 'look its rows up', lock: 'ROW SHARE', work: 'catalog' },
    ],
    unusedSince: null,
  },
  '0052_chasing_indexes': {
    creates: '',
    changes: [addIndex('customer', 'customers by cadence'), addIndex('payment', 'unapplied payments')],
    unusedSince: null,
  },
  '0055_invoice_cadences': {
    creates: '',
    changes: [
      addColumn('chasing_cadence', 'kind, is_default'),
      addIndex('chasing_cadence', 'default of invoices'),
      addChecks('chasing_cadence', 'kind'),
      addColumn('invoice', 'chasing_cadence_id, taken_steps'),
      addChecks('invoice', 'chasing cadence'),
      addReference('chasing_cadence', 'invoice'),
    ],
    unusedSince: null,
    harmlessChecks: {
      invoice_account_id_chasing_cadence_id_foreign: 'invoices of the version before name no cadence',
      chasing_cadence_invoice_default: 'no cadence of the version before is a default of invoices',
      chasing_cadence_of_invoices: 'cadences of the version before are those of customers',
    },
  },
  '0056_invoice_cadence_references': {
    creates: '',
    changes: [
      validateChecks('chasing_cadence'),
      validateChecks('invoice'),
      { table: 'chasing_cadence', does: 'look its rows up', lock: 'ROW SHARE', work: 'catalog' },
    ],
    unusedSince: null,
  },
  '0057_invoice_cadence_indexes': {
    creates: '',
    changes: [addIndex('invoice', 'invoices by cadence')],
    unusedSince: null,
  },
  '0058_cadence_kinds': {
    creates: '',
    changes: [addIndex('chasing_cadence', 'cadences by kind')],
    unusedSince: null,
  },
};
