import { customerTables } from './schema/customerTables.ts';
import { LIMITED_ROLE, SYSTEM_ROLE } from './tenant.ts';

/** Privileges on a table in the syntax of GRANT; empty: none. */
interface Rights {
  /**
   * The login that sees one account at a time: the API, and workers working for an account. The role in which it works for a member that sees
   * only its own customers has the same rights.
   */
  app: string;
  /** The login that sees all accounts: relay, sweep, rebuild, audit, sign-in, OAuth, opening accounts. */
  system: string;
}

const READ = 'select';
const ADD = 'select, insert';
const CHANGE = 'select, insert, update';
const ALL = 'select, insert, update, delete';

/** Rows that belong to an account: only the `app` login writes them. */
const ofAccount = (app: string): Rights => ({ app, system: READ });

/**
 * Rights of each login on each table: those that its statements need, and no more. A table that is missing here is accessible to no login.
 * Locking a row needs the right to update one of its columns. Cascading deletes need no right.
 */
export const rights: Readonly<Record<string, Rights>> = {
  // Rows of customers are added, move to another customer when theirs is merged, and are deleted with a test clock.
  ...Object.fromEntries(customerTables.map((table) => [table, ofAccount(ALL)])),
  /** The sweep deletes those that have expired. Locking a row needs the right to change a column. */
  portal_link: { app: ALL, system: 'select, update (expires_at), delete' },
  portal_session: { app: ALL, system: 'select, update (expires_at), delete' },
  account: { app: 'select, update', system: 'select, insert, update (twin_id)' },
  api_key: { app: 'select, insert, update (last_used_at, revoked_at)', system: ADD },
  attachment: ofAccount(ALL),
  attempt_credit: ofAccount(ADD),
  attempt_invoice: ofAccount(CHANGE),
  attempt_refund: ofAccount(ADD),
  // The audit log only grows. Whole months end by a function with the rights of the owner (db/auditMonths.ts).
  audit_anchor: { app: READ, system: ADD },
  audit_head: { app: READ, system: CHANGE },
  audit_link: { app: READ, system: ADD },
  audit_log: { app: ADD, system: ADD },
  audit_queue: { app: 'insert', system: 'select, insert, update (due_at), delete' },
  chasing_cadence: ofAccount(ALL),
  coupon: ofAccount(CHANGE),
  coupon_redemption: ofAccount(ALL),
  custom_field: ofAccount(ALL),
  customer: ofAccount(ALL),
  /** Written by triggers of invoices. */
  customer_balance: ofAccount('select, insert, update'),
  deployment: {
    app: 'select, insert, update (temporal_namespace_id)',
    system: 'select, update (swept_at, sealed_audit_key)',
  },
  digest: ofAccount(CHANGE),
  dispute: ofAccount(CHANGE),
  /** Mails to persons are written with the sign-in that they tell of. */
  email: { app: ALL, system: ADD },
  document_pdf: ofAccount('select, insert, delete'),
  email_template_version: ofAccount('select, insert, delete'),
  /** Personal data in an event can be erased. Its type and time never change. */
  event: ofAccount('select, insert, update (object, previous), delete'),
  event_log: { app: 'select, delete', system: ADD },
  file: ofAccount(ALL),
  gateway_event: ofAccount(CHANGE),
  gl_account: ofAccount(ALL),
  idempotency: { app: ALL, system: 'select, update (created_at), delete' },
  item: ofAccount(CHANGE),
  /** The sweep deletes those that have expired. */
  job_row: { app: ALL, system: '' },
  job: { app: CHANGE, system: 'select, update (expires_at), delete' },
  ledger_entry: ofAccount(ADD),
  late_fee: ofAccount(ADD),
  late_fee_schedule: ofAccount(ALL),
  logo: ofAccount(ADD),
  mail_event: { app: 'select, insert, delete', system: 'select, delete' },
  mail_provider: ofAccount(CHANGE),
  mail_sender: ofAccount(CHANGE),
  member: { app: CHANGE, system: CHANGE },
  member_session: { app: '', system: ALL },
  merchant_account: ofAccount(CHANGE),
  message_provider: ofAccount(CHANGE),
  mrr_movement: { app: ADD, system: ADD },
  mikro_orm_migrations: ofAccount(READ),
  numbering: { app: CHANGE, system: ADD },
  numbering_gap: ofAccount(ADD),
  oauth_application: ofAccount(ALL),
  oauth_grant: { app: 'select, update (last_used_at), delete', system: ALL },
  oauth_interaction: { app: '', system: ALL },
  oauth_token: { app: '', system: ALL },
  outbox: { app: 'select, insert, delete', system: ALL },
  payment_application: ofAccount(ALL),
  /** Evidence: only its owner changes, and personal data in it can be erased. */
  payment_consent: ofAccount('select, insert, update (customer_id, email, ip, user_agent), delete'),
  payment_link: ofAccount(CHANGE),
  payment_method: ofAccount(CHANGE),
  named_email_template: ofAccount(ALL),
  named_pdf_template: ofAccount(ALL),
  passkey: { app: '', system: ALL },
  pdf_template: ofAccount(ALL),
  person: { app: '', system: CHANGE },
  person_secret: { app: '', system: ALL },
  person_session: { app: '', system: ALL },
  plan: ofAccount(CHANGE),
  problem: ofAccount(ALL),
  pump_lease: { app: ALL, system: '' },
  queue_progress: { app: '', system: 'select, insert, delete' },
  rate_limit_bucket: { app: CHANGE, system: 'select, delete' },
  recovery_code: { app: '', system: ALL },
  refund: ofAccount(CHANGE),
  report_schedule: ofAccount(ALL),
  role: ofAccount(ALL),
  saved_view: ofAccount(ALL),
  service_token: { app: 'select, insert, update (used_at)', system: 'select, update (used_at), delete' },
  sign_up_page: ofAccount(CHANGE),
  sms_event: ofAccount(ADD),
  sms_template: ofAccount(ALL),
  snapshot: ofAccount(ADD),
  statement_planning: ofAccount(CHANGE),
  stray_bytes: { app: ALL, system: 'select, insert, update (doomed, due_at), delete' },
  /** The sweep derives movements of revenue from events. */
  subscription: { app: ALL, system: 'select, update (mrr_derived)' },
  subscription_addon: ofAccount(CHANGE),
  suppression: ofAccount(CHANGE),
  task_invoice: ofAccount(ADD),
  tax_rate: ofAccount(CHANGE),
  tax_rule: ofAccount(ALL),
  test_clock: ofAccount(ALL),
  test_clock_step: ofAccount(ADD),
  text_stop: ofAccount(CHANGE),
  theme: ofAccount(ALL),
  throttle: { app: '', system: ALL },
  usage_rate: ofAccount(ALL),
  usage_record: ofAccount(ALL),
  /** The invoice that billed it can be voided, and then bills nothing of it. */
  usage_total: ofAccount('select, insert, update (quantity, records, amount, terms, billed)'),
  wakeup: { app: ALL, system: 'select, insert, update (sweeps, handed_at)' },
  webhook: { app: CHANGE, system: 'select, update (sealed_old_secret, old_secret_ends_at)' },
  webhook_attempt: { app: 'select, insert, delete', system: 'select, delete' },
  webhook_delivery: { app: ALL, system: 'select, insert, delete' },
  webhook_lane: { app: ALL, system: CHANGE },
  withheld_credit: ofAccount(CHANGE),
  write_off: ofAccount(CHANGE),
};

/** A right on a table: `update` on all of it, or on one column. */
interface Right {
  table: string;
  privilege: string;
  /** Null: all columns. */
  column: string | null;
}

/** The single rights that a login needs. */
function neededBy(login: keyof Rights): Right[] {
  return Object.entries(rights).flatMap(([table, may]) =>
    [...may[login].matchAll(/(\w+)(?: \(([^)]*)\))?/g)].flatMap(([, privilege = '', columns]) =>
      (columns?.split(', ') ?? [null]).map((column) => ({ table, privilege, column })),
    ),
  );
}

/** SQL: the rights that the current login lacks, as `update on account (twin_id)`. Tables that a later version has dropped are left out. */
export function missingRights(login: keyof Rights): { sql: string; values: unknown[] } {
  return {
    sql: `select privilege || ' on ' || "table" || coalesce(' (' || "column" || ')', '') as missing
      from jsonb_to_recordset(?::jsonb) as needed ("table" text, privilege text, "column" text)
      where to_regclass("table") is not null and not case
        when "column" is null then has_table_privilege("table", privilege)
        else has_column_privilege("table", "column", privilege) end`,
    values: [JSON.stringify(neededBy(login))],
  };
}

/** Thrown if the owner lacks a right that a migration needs. The message is for the operator. */
export class MissingRight extends Error {
  override readonly name = 'MissingRight';
}

/** Runs work that creates and changes roles. Throws MissingRight if the owner of the database lacks the right. */
export async function administering<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== '42501') throw error;
    throw new MissingRight(
      `PostgreSQL says: ${error.message.split(' - ').at(-1)}. The login of \`migrate\` must own the database and be allowed to create roles (alter role <owner> createrole). ` +
        `If a deployment with another owner created the roles ${SYSTEM_ROLE} and ${LIMITED_ROLE} on this server, run: grant ${SYSTEM_ROLE}, ${LIMITED_ROLE} to <owner> with admin option.`,
    );
  }
}
