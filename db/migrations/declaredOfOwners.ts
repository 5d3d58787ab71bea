import { addColumn, type Declared } from './changes.ts';

const policies = 'restrict limited members to their customers';

/** Policies of some tables, which name others. Each migration takes few locks at a time. */
function addPolicies(tables: readonly string[], named: readonly string[], more: Declared['changes'] = []): Declared {
  const own = tables.map((table) => ({ table, does: policies, lock: 'ACCESS EXCLUSIVE', work: 'catalog' }) as const);
  const others = named.map(
    (table) => ({ table, does: 'name it in a policy', lock: 'ACCESS SHARE', work: 'catalog' }) as const,
  );
  return { creates: '', changes: [...more, ...own, ...others], unusedSince: null };
}

/** Effects of the migrations that limit members to the customers that they own. */
export const declaredOfOwners = {
  '0230_owner_limits_1': addPolicies(
    ['file', 'chasing_cadence', 'document_pdf', 'event', 'event_log', 'late_fee_schedule', 'ledger_entry'],
    [
      'attachment',
      'charge',
      'contact',
      'credit_balance_adjustment',
      'credit_note',
      'customer',
      'estimate',
      'invoice',
      'line_item',
      'note',
      'payment',
      'payment_plan',
      'payment_source',
      'subscription',
      'task',
    ],
    [addColumn('file', 'owner_id')],
  ),
  '0231_owner_limits_2': addPolicies(
    ['mail_event', 'numbering_gap', 'problem', 'suppression', 'test_clock_step', 'customer', 'text_message'],
    [
      'attempt',
      'chase',
      'contact',
      'email',
      'estimate',
      'invoice',
      'payment',
      'payment_source',
      'subscription',
      'task',
    ],
  ),
  '0232_owner_limits_3': addPolicies(
    [
      'task',
      'subscription',
      'subscription_addon',
      'scheduled_statement',
      'reminder_address',
      'reminder',
      'payment_source',
    ],
    ['customer'],
  ),
  '0233_owner_limits_4': addPolicies(
    ['invoice', 'task_invoice', 'payment_plan', 'note', 'late_fee', 'gateway_customer', 'estimate'],
    ['customer', 'task'],
  ),
  '0234_owner_limits_5': addPolicies(
    ['email', 'credit_note', 'line_item', 'attachment', 'credit_balance_adjustment', 'contact', 'chase'],
    ['customer', 'estimate', 'invoice'],
  ),
  '0235_owner_limits_6': addPolicies(
    ['attempt', 'payment_consent', 'gateway_event', 'charge', 'payment', 'refund', 'payment_application'],
    ['credit_balance_adjustment', 'credit_note', 'customer', 'estimate', 'invoice'],
  ),
  '0236_owner_limits_7': addPolicies(
    [
      'credit_balance_change',
      'dispute',
      'attempt_refund',
      'attempt_invoice',
      'attempt_credit',
      'usage_rate',
      'usage_record',
    ],
    ['attempt', 'charge', 'credit_note', 'customer', 'estimate', 'invoice', 'subscription'],
  ),
  '0237_owner_limits_8': addPolicies(
    ['usage_total', 'wakeup', 'webhook_attempt', 'webhook_delivery', 'webhook_lane', 'withheld_credit', 'write_off'],
    ['attempt', 'chase', 'estimate', 'invoice', 'payment', 'payment_source', 'subscription', 'usage_rate'],
  ),
};
