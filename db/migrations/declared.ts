import {
  addChecks,
  addColumn,
  addIndex,
  addReference,
  type Declared,
  readRows,
  updateRows,
  validateChecks,
} from './changes.ts';
import { declaredEarlier } from './declaredEarlier.ts';
import { declaredOfActs } from './declaredOfActs.ts';
import { declaredOfCollection } from './declaredOfCollection.ts';
import { declaredOfDesk } from './declaredOfDesk.ts';
import { declaredOfGateways } from './declaredOfGateways.ts';
import { declaredOfLists } from './declaredOfLists.ts';
import { declaredOfOwners } from './declaredOfOwners.ts';
import { declaredOfPages } from './declaredOfPages.ts';
import { declaredOfPeople } from './declaredOfPeople.ts';
import { declaredOfPortal } from './declaredOfPortal.ts';
import { declaredOfSelfService } from './declaredOfSelfService.ts';
import type { MigrationName } from './names.ts';

/** Effects of each migration. `test/unit/migrationsDeclared.test.ts` compares it with what PostgreSQL does. */
export const declared: Record<MigrationName, Declared> = {
  ...declaredEarlier,
  ...declaredOfActs,
  ...declaredOfCollection,
  ...declaredOfGateways,
  ...declaredOfOwners,
  ...declaredOfPages,
  ...declaredOfLists,
  ...declaredOfPeople,
  ...declaredOfPortal,
  ...declaredOfSelfService,
  ...declaredOfDesk,
  '0082_service_token_currency': {
    creates: '',
    changes: [addColumn('service_token', 'currency')],
    unusedSince: null,
  },
  '0090_scheduled_statements': {
    creates: 'tables scheduled_statement, statement_planning',
    changes: [addColumn('customer', 'statement_day'), addReference('customer', 'scheduled_statement')],
    unusedSince: null,
  },
  '0094_task_outcomes': {
    creates: '',
    changes: [addColumn('task', 'outcome, next_task_id, follows_task_id'), addIndex('task', 'follow-ups')],
    unusedSince: null,
    harmlessChecks: { task_follow_up: 'tasks of the version before follow up no other task' },
  },
  '0097_mail_events': {
    creates: 'tables mail_event, mail_provider, suppression',
    changes: [addColumn('task', 'suppression_id'), addIndex('task', 'tasks about a suppressed address')],
    unusedSince: null,
  },
  '0098_mail_event_indexes': {
    creates: '',
    changes: [addIndex('email', 'mails by Message-ID')],
    unusedSince: null,
  },
  '0099_mail_senders': { creates: 'table mail_sender', changes: [], unusedSince: null },
  '0100_digests': { creates: 'table digest', changes: [], unusedSince: null },
  '0101_digest_indexes': {
    creates: '',
    changes: [addIndex('attempt', 'ended charges'), addIndex('charge', 'returned debits')],
    unusedSince: null,
  },
  '0102_proved_senders': {
    creates: '',
    changes: [
      addColumn('mail_sender', 'found_at, lost_at, misses, looked_at, finding, next_look_at'),
      addIndex('mail_sender', 'due DNS checks'),
    ],
    unusedSince: null,
  },
  '0103_told_problems': {
    creates: '',
    changes: [addColumn('problem', 'told_at')],
    unusedSince: null,
  },
  '0104_earlier_told_problems': {
    creates: '',
    changes: [updateRows('problem', 'count the open problems from before as told')],
    unusedSince: null,
  },
  '0105_mail_event_expiry': {
    creates: '',
    changes: [addIndex('mail_event', 'events by their age')],
    unusedSince: null,
  },
  '0106_themes': {
    creates: 'table theme',
    changes: [addColumn('customer', 'theme_id'), addChecks('customer', 'theme')],
    unusedSince: null,
    harmlessChecks: { customer_account_id_theme_id_foreign: 'customers of the version before name no theme' },
  },
  '0107_theme_references': {
    creates: '',
    changes: [
      validateChecks('customer'),
      { table: 'theme', does: 'look its rows up', lock: 'ROW SHARE', work: 'catalog' },
    ],
    unusedSince: null,
  },
  '0108_theme_indexes': {
    creates: '',
    changes: [addIndex('customer', 'customers by theme')],
    unusedSince: null,
  },
  '0109_pdf_templates': { creates: 'table pdf_template', changes: [], unusedSince: null },
  '0110_task_invoices': {
    creates: 'table task_invoice',
    changes: [addReference('task', 'task_invoice'), addReference('invoice', 'task_invoice')],
    unusedSince: null,
  },
  '0111_reverse_charge': {
    creates: '',
    changes: [addColumn('tax_rule', 'reverse_charge')],
    unusedSince: null,
  },
  '0112_mail_progress': {
    creates: '',
    changes: [addColumn('email', 'progress')],
    unusedSince: null,
  },
  '0113_retried_emails': {
    creates: '',
    changes: [addIndex('email', 'emails that wait for another attempt')],
    unusedSince: null,
  },
  '0120_usage_terms': {
    creates: '',
    changes: [addColumn('usage_total', 'terms, billed')],
    unusedSince: null,
  },
  '0125_prorated_prices': {
    creates: '',
    changes: [addColumn('subscription', 'prorated_prices')],
    unusedSince: null,
  },
  '0130_credit_of_open_invoices': {
    creates: 'table withheld_credit',
    changes: [
      addReference('credit_note', 'withheld_credit'),
      addReference('invoice', 'withheld_credit'),
      addColumn('credit_balance_change', 'counts_from_date'),
      addColumn('credit_note', 'arrived_at'),
      addColumn('invoice', 'credit_review_at'),
    ],
    unusedSince: null,
  },
  '0135_credit_note_ceiling': {
    creates: '',
    changes: [
      addColumn('credit_balance_adjustment', 'credit_note_id'),
      addColumn('credit_note', 'force_reason'),
      addColumn('line_item', 'credited'),
    ],
    unusedSince: null,
  },
  '0136_credit_note_ceiling_indexes': {
    creates: '',
    changes: [
      addIndex('credit_balance_adjustment', 'adjustments by the credit note that they complete'),
      addIndex('line_item', 'credits by the invoices that they credit'),
    ],
    unusedSince: null,
  },
  '0143_document_xml': {
    creates: '',
    changes: [addColumn('document_pdf', 'xml')],
    unusedSince: null,
  },
  '0150_receipt_numbers': {
    creates: '',
    changes: [addColumn('payment', 'receipt_number'), addColumn('payment', 'receipt_number_key')],
    unusedSince: null,
  },
  '0151_receipt_number_indexes': {
    creates: '',
    changes: [addIndex('payment', 'receipts by their number')],
    unusedSince: null,
    harmlessChecks: { payment_receipt_number_key: 'payments of the version before have no receipt number' },
  },
  '0152_receipt_series': {
    creates: '',
    changes: [
      readRows('account', 'list the accounts'),
      updateRows('numbering', 'add the receipt series of each account'),
    ],
    unusedSince: null,
  },
  '0146_issue_mails': {
    creates: '',
    changes: [
      addColumn('customer', 'email_new_invoices'),
      addColumn('invoice', 'issue_mailed_at, unmailed_task_id'),
      addColumn('task', 'unmailed_invoice_id'),
    ],
    unusedSince: null,
  },
  '0147_no_mails_of_earlier_accounts': {
    creates: '',
    changes: [updateRows('account', 'keep email_new_invoices none for accounts from before')],
    unusedSince: null,
  },
  '0148_named_templates': {
    creates: 'tables named_email_template, named_pdf_template',
    changes: [addColumn('email', 'kind'), addColumn('customer', 'pdf_templates')],
    unusedSince: null,
  },
  '0149_named_template_indexes': {
    creates: '',
    changes: [addIndex('customer', 'customers that name PDF templates')],
    unusedSince: null,
  },
  '0163_money_out': {
    creates: '',
    changes: [
      addColumn('credit_balance_adjustment', 'refund_id'),
      addColumn('ledger_entry', 'refund_id'),
      addColumn('payment', 'refunds'),
      addColumn('refund', 'payment_id, adjustment_id, method, date, reference, returned'),
      readRows('refund', 'check its references'),
      addReference('payment', 'refund'),
      addReference('credit_balance_adjustment', 'refund'),
    ],
    unusedSince: null,
    harmlessChecks: {
      refund_account_id_payment_id_foreign: 'the version before names no payment',
      refund_account_id_adjustment_id_foreign: 'the version before names no adjustment',
    },
  },
  '0164_money_out_indexes': {
    creates: '',
    changes: [addIndex('refund', 'refunds of payments, refunds of credit')],
    unusedSince: null,
  },
  '0180_counted_bounces': {
    creates: '',
    changes: [addColumn('mail_event', 'counts'), addColumn('suppression', 'is_checked')],
    unusedSince: null,
  },
  '0181_unchecked_suppressions': {
    creates: '',
    changes: [addIndex('suppression', 'suppressions of earlier versions')],
    unusedSince: null,
  },
  '0190_payment_failures': {
    creates: '',
    changes: [addColumn('invoice', 'payment_failure_code, payment_failure_message, payment_failed_at')],
    unusedSince: null,
  },
  '0191_payment_failure_index': {
    creates: '',
    changes: [addIndex('invoice', 'invoices by the failure of their last automatic payment')],
    unusedSince: null,
  },
  '0192_search_functions': { creates: 'functions of searches', changes: [], unusedSince: null },
  '0193_customer_search': {
    creates: '',
    changes: [addIndex('customer', 'customers by their words')],
    unusedSince: null,
  },
  '0194_invoice_search': { creates: '', changes: [addIndex('invoice', 'invoices by their words')], unusedSince: null },
  '0216_pump_leases': { creates: 'table pump_lease', changes: [], unusedSince: null },
  '0220_traces': {
    creates: '',
    changes: [addColumn('event', 'request_id, traceparent'), addColumn('outbox', 'traceparent')],
    unusedSince: null,
  },
  '0360_credit_holds': {
    creates: '',
    changes: [addColumn('customer', 'held_at, held_by_id, hold_reason')],
    unusedSince: null,
  },
};
