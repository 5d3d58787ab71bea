import {
  addChecks,
  addColumn,
  addReference,
  changeComment,
  type Declared,
  readRows,
  updateRows,
  validateChecks,
} from './changes.ts';
import type { MigrationName } from './names.ts';

/** Effects of the migrations up to 0015. */
export const declaredEarlier = {
  '0001_initial': { creates: 'all tables of 0.1.0', changes: [], unusedSince: null },
  '0002_swept_lines': { creates: '', changes: [addColumn('line_item', 'swept_at')], unusedSince: null },
  '0003_event_credentials': {
    creates: '',
    changes: [addColumn('attempt', 'credential'), addColumn('event', 'credential')],
    unusedSince: null,
  },
  '0004_reasons': {
    creates: '',
    changes: [
      addColumn('attempt', 'interruption'),
      addColumn('event', 'reason'),
      addColumn('problem', 'content'),
      addColumn('wakeup', 'reason, reason_detail'),
    ],
    unusedSince: null,
  },
  '0005_old_reasons': {
    creates: '',
    changes: [
      updateRows('attempt', 'give abandoned attempts the code of their reason'),
      updateRows('wakeup', 'give retries the code of their reason'),
      updateRows('problem', 'give problems of PDFs their content'),
      readRows('estimate', 'read when estimates expired'),
      updateRows('event', 'give changes the code of their reason'),
    ],
    unusedSince: null,
  },
  '0006_subscription_terms': {
    creates: '',
    changes: [
      addColumn('line_item', 'prorated'),
      addColumn(
        'subscription',
        'start_at, snap_day, starts_short, contract_segment, contract_period, contract_start_at, renewal_mode, renewal_cycles, pending_renewal, resume_at, resume_mode, ship_to',
      ),
    ],
    unusedSince: null,
  },
  '0007_subscription_addons': {
    creates: 'table subscription_addon',
    changes: [
      addColumn('line_item', 'addon_id'),
      addColumn('subscription', 'has_addons'),
      addReference('subscription', 'subscription_addon'),
      addReference('plan', 'subscription_addon'),
      addReference('item', 'subscription_addon'),
    ],
    unusedSince: null,
  },
  '0008_subscription_changes': {
    creates: '',
    changes: [addColumn('subscription', 'changed_at, prorations, past_prices, pending_change')],
    unusedSince: null,
  },
  '0009_bill_in': {
    creates: '',
    changes: [addColumn('subscription', 'anchored_at, trial_end_at, bill_in, advance_days, period_open, used')],
    unusedSince: null,
  },
  '0010_subscription_mails': {
    creates: '',
    changes: [
      addColumn('subscription', 'contract_end_at, contract_noticed_for, renewal_noticed_for'),
      readRows('plan', 'read the intervals of contracts'),
      updateRows('subscription', 'give contracts their end'),
      { table: 'subscription', does: 'index the ends of contracts', lock: 'SHARE', work: 'index' },
    ],
    unusedSince: null,
  },
  '0011_pause_at_period_end': {
    creates: '',
    changes: [addColumn('subscription', 'pause_at_period_end')],
    unusedSince: null,
  },
  '0012_table_comments': {
    creates: '',
    changes: [
      changeComment('coupon'),
      changeComment('document_pdf'),
      changeComment('item'),
      changeComment('numbering_gap'),
      changeComment('outbox'),
      changeComment('plan'),
      changeComment('queue_progress'),
      changeComment('rate_limit_bucket'),
      changeComment('snapshot'),
      changeComment('stray_bytes'),
      changeComment('tax_rate'),
      changeComment('tax_rule'),
      changeComment('task'),
      changeComment('payment_source'),
      changeComment('note'),
      changeComment('estimate'),
      changeComment('email'),
      changeComment('line_item'),
      changeComment('payment_application'),
      changeComment('credit_balance_change'),
      changeComment('attempt_invoice'),
      changeComment('attempt_credit'),
      changeComment('test_clock_step'),
      changeComment('throttle'),
      changeComment('wakeup'),
    ],
    unusedSince: null,
  },
  '0013_usage': {
    creates: 'tables usage_rate, usage_record, usage_total',
    changes: [
      addColumn('subscription', 'has_usage, usage_thresholds, usage_told, late_usage_at'),
      addReference('subscription', 'usage_rate'),
    ],
    unusedSince: null,
  },
  '0014_refunds': {
    creates: 'tables refund, attempt_refund',
    changes: [
      addChecks('attempt', 'kind and amount'),
      addColumn('charge', 'amount_refunded, refund_reserved, refunds'),
      addChecks('charge', 'amount_refunded'),
      addColumn('payment', 'refunded_own, refund_expense'),
      addChecks('payment', 'refunded_own'),
      addReference('charge', 'refund'),
      addReference('attempt', 'refund'),
      addReference('attempt', 'attempt_refund'),
      addReference('charge', 'attempt_refund'),
    ],
    unusedSince: null,
    harmlessChecks: {
      charge_refunded: 'the amount of a charge never changes',
      payment_refunded: 'only payments with refunds can break it',
    },
  },
  '0015_refund_checks': {
    creates: '',
    changes: [validateChecks('attempt'), validateChecks('charge'), validateChecks('payment')],
    unusedSince: null,
  },
} satisfies Partial<Record<MigrationName, Declared>>;
