import { AsyncLocalStorage } from 'node:async_hooks';

/** Marks the logins that see the rows of all accounts; nobody logs in as it. */
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

/** Tells a session whose rows it may see, as $1: those of an account, or of none. */
export const CONFINE = `select set_config('${ACCOUNT_SETTING}', $1, false)`;
