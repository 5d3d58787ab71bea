import { AsyncLocalStorage } from 'node:async_hooks';

/** Role that API and workers act as: may read and write rows, owns nothing, and cannot alter the books. It sees one account at a time. */
export const APP_ROLE = 'perennial_app';
/** The same for work over all accounts: relay, sweep, rebuilding, auditing, opening accounts. */
export const SYSTEM_ROLE = 'perennial_system';

/** Session setting that the policies of all tables compare with the account of each row. */
const ACCOUNT_SETTING = 'app.account_id';

/**
 * The second wall between accounts, declared by every table whose rows belong to one: a statement that forgets the account finds that
 * account's rows alone, and none where nobody has said whose work it is.
 */
export const tenantPolicies = [
  {
    name: 'tenant',
    using: `(account_id = (nullif(current_setting('${ACCOUNT_SETTING}'::text, true), ''::text))::integer)`,
  },
  { name: 'system', roles: [SYSTEM_ROLE], using: 'true' },
];

/** Whose rows a piece of work may see and write: an account's, everybody's, nobody's, or only those of tables without a policy. */
export type Tenant = number | 'system' | 'nobody' | 'open';

const tenants = new AsyncLocalStorage<Tenant>();

/** Does one account's work: all statements in it, however they are sent, are confined to its rows. */
export function asAccount<T>(accountId: number, work: () => T): T {
  return tenants.run(accountId, work);
}

/** Does work over all accounts. */
export function asSystem<T>(work: () => T): T {
  return tenants.run('system', work);
}

/** Finds out whose work it is: touches no table with a policy, and takes a connection as the work before it left it. */
export function onOpenTables<T>(work: () => T): T {
  return tenants.run('open', work);
}

export function currentTenant(): Tenant | undefined {
  return tenants.getStore();
}

/** Settings of a session that does a tenant's work, with $1 and $2; of one that did another account's, with $1 alone. */
export const CONFINE = `select set_config('${ACCOUNT_SETTING}', $1, false), set_config('role', $2, false)`;
export const CONFINE_AGAIN = `select set_config('${ACCOUNT_SETTING}', $1, false)`;

export function confinement(tenant: Tenant): [accountId: string, role: string] {
  return [typeof tenant === 'number' ? String(tenant) : '', tenant === 'system' ? SYSTEM_ROLE : APP_ROLE];
}
