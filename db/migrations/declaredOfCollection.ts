import { addChecks, addColumn, addIndex, addReference, type Declared, updateRows, validateChecks } from './changes.ts';
import type { MigrationName } from './names.ts';

/** Effects of the migrations 0032 to 0078. */
export const declaredOfCollection = {
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
  '0060_early_discounts': {
    creates: '',
    changes: [addColumn('credit_note', 'early_discount_until'), addColumn('invoice', 'discount_review_at')],
    unusedSince: null,
  },
  '0061_early_discount_notes': {
    creates: '',
    changes: [addIndex('credit_note', 'credit notes that grant an early-payment discount')],
    unusedSince: null,
    harmlessChecks: {
      credit_note_early_discount: 'credit notes of the version before grant no early-payment discount',
    },
  },
  '0067_merged_customers': {
    creates: '',
    changes: [addIndex('customer', 'customers by the one that they were merged into')],
    unusedSince: null,
  },
  '0070_printed_sellers': {
    creates: '',
    changes: [
      addColumn(
        'account',
        'tax_id_kind, tax_id_country, reply_to, bank_details, payment_reference, footer, small_business_note, exemption_note',
      ),
    ],
    unusedSince: null,
  },
  '0074_texts': {
    creates: 'tables message_provider, sms_event, sms_template, text_message, text_stop',
    changes: [addReference('customer', 'text_message')],
    unusedSince: null,
  },
  '0078_email_templates': {
    creates: 'table email_template_version',
    changes: [addColumn('email', 'view')],
    unusedSince: null,
  },
  '0205_written_off_parts': {
    creates: '',
    changes: [addColumn('payment_plan', 'written_off_parts')],
    unusedSince: null,
  },
  '0165_write_offs': {
    creates: 'table write_off',
    changes: [
      addReference('invoice', 'write_off'),
      addColumn('invoice', 'written_off, write_off_reason'),
      addChecks('invoice', 'written_off'),
    ],
    unusedSince: null,
    harmlessChecks: { invoice_written_off: 'the version before writes off no part' },
  },
  '0166_write_off_checks': { creates: '', changes: [validateChecks('invoice')], unusedSince: null },
} satisfies Partial<Record<MigrationName, Declared>>;
