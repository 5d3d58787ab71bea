import { addColumn, addIndex, addReference, type Declared } from './changes.ts';

/** Effects of the migrations of persons, of the audit log, of reports and of the ledger's accounts. */
export const declaredOfPeople = {
  '0223_people': {
    creates: 'tables person, passkey, person_secret, person_session, recovery_code, role',
    changes: [
      addColumn(
        'member',
        'person_id, name, role, is_limited, status, invitation_hash, invitation_ends_at, invited_by_id, last_seen_at',
      ),
      addIndex('member', 'members by person, invitation and role'),
      { table: 'member_session', does: 'end those of several passwords', lock: 'ROW EXCLUSIVE', work: 'catalog' },
      addColumn('api_key', 'member_account_id, member_id'),
      addIndex('api_key', 'keys by member'),
      { table: 'account', does: 'name it in a policy', lock: 'ACCESS SHARE', work: 'catalog' },
    ],
    unusedSince: null,
  },
  '0240_audit_log': {
    creates: 'tables audit_anchor, audit_head, audit_link, audit_log, audit_queue',
    changes: [addColumn('deployment', 'sealed_audit_key')],
    unusedSince: null,
  },
  '0255_password_age': { creates: '', changes: [addColumn('person', 'password_set_at')], unusedSince: null },
  '0260_audit_log_of_twins': {
    creates: '',
    changes: [
      {
        table: 'audit_log',
        does: 'let sandboxes add rows of their live account',
        lock: 'ACCESS EXCLUSIVE',
        work: 'catalog',
      },
      { table: 'account', does: 'name it in a policy', lock: 'ACCESS SHARE', work: 'catalog' },
      {
        table: 'audit_queue',
        does: 'let sandboxes add rows of their live account',
        lock: 'ACCESS EXCLUSIVE',
        work: 'catalog',
      },
    ],
    unusedSince: null,
  },
  '0270_mrr_movements': {
    creates: 'table mrr_movement',
    changes: [
      addColumn('subscription', 'mrr_derived'),
      addIndex('subscription', 'subscriptions whose movements are not derived'),
      {
        table: 'event',
        does: 'write movements of revenue by a trigger',
        lock: 'SHARE ROW EXCLUSIVE',
        work: 'catalog',
      },
      addReference('subscription', 'mrr_movement'),
    ],
    unusedSince: null,
  },
  '0280_jobs': {
    creates: 'tables job, report_schedule',
    changes: [],
    unusedSince: null,
  },
  '0285_custom_fields': {
    creates: 'table custom_field',
    changes: [],
    unusedSince: null,
  },
  '0290_gl_accounts': {
    creates: 'table gl_account',
    changes: [
      addColumn('account', 'gl_mapping, books_closed_through, books_open_from'),
      addColumn('ledger_entry', 'open_from'),
      {
        table: 'ledger_entry',
        does: 'date entries of closed months by a trigger',
        lock: 'SHARE ROW EXCLUSIVE',
        work: 'catalog',
      },
      addColumn('payment_method', 'gl_account'),
      addColumn('tax_rate', 'gl_account'),
    ],
    unusedSince: null,
  },
  '0291_gl_account_indexes': {
    creates: '',
    changes: [
      addIndex('tax_rate', 'tax rates by their general ledger account'),
      addIndex('ledger_entry', 'changes of invoices while months were closed'),
    ],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
