import { addColumn, addIndex, addReference, type Declared } from './changes.ts';

/** Effects of the migrations of persons, of the audit log and of reports. */
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
} satisfies Record<string, Declared>;
