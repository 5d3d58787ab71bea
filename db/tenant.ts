import { AsyncLocalStorage } from 'node:async_hooks';

/** Role of the logins that see the rows of all accounts; nobody logs in as the role itself. */
export const SYSTEM_ROLE = 'perennial_system';

/**
 * Session setting with the id of the current account. In tables that belong to accounts, row policies compare it with the account of each
 * row.
 */
export const ACCOUNT_SETTING = 'app.account_id';

const CURRENT_ACCOUNT = `(nullif(current_setting('${ACCOUNT_SETTING}'::text, true), ''::text))::integer`;

/**
 * Row policies of every table whose rows belong to an account. They back up the conditions in statements: a statement that forgets the
 * account sees only that account's rows, and none if no account is set.
 */
export const tenantPolicies = policiesOf(`(account_id = ${CURRENT_ACCOUNT})`);

/** Row policies of the accounts themselves. */
export const accountPolicies = policiesOf(`(id = ${CURRENT_ACCOUNT})`);

/** Row policies of tables whose rows belong to a live account and are also visible to its sandbox twin. */
export const twinPolicies = policiesOf(
  `((account_id = ${CURRENT_ACCOUNT}) or (account_id = ( select account.twin_id from account where (account.id = ${CURRENT_ACCOUNT}))))`,
);

function policiesOf(using: string) {
  return [
    { name: 'tenant', using },
    { name: 'system', roles: [SYSTEM_ROLE], using: 'true' },
  ];
}

/**
 * The rows that a piece of work may see and write: those of an account (its id), all, or none. `unknown` while the account is being found.
 */
export type Tenant = number | 'system' | 'nobody' | 'unknown';

const tenants = new AsyncLocalStorage<Tenant>();

/** The unit of work of one account: all statements that `work` sends are confined to the account's rows (db/accountPool.ts). */
export function withAccount<T>(accountId: number, work: () => T): T {
  return tenants.run(accountId, work);
}

const payers = new AsyncLocalStorage<number | undefined>();

/** Runs work over all accounts. `payer`: the account that the work is for, whose share of connections it uses. */
export function asSystem<T>(work: () => T, payer?: number): T {
  return payers.run(payer, () => tenants.run('system', work));
}

export function currentPayer(): number | undefined {
  return payers.getStore();
}

/**
 * Runs work that finds the account. One of its statements confines its own session and returns `CONFINED_TO`, so that the next work of the
 * account need not confine it again.
 */
export function findingTenant<T>(work: () => T): T {
  return tenants.run('unknown', work);
}

/** Result column of a statement that has confined its session: the account's id, in the first row. */
export const CONFINED_TO = 'confined_to';

export function currentTenant(): Tenant | undefined {
  return tenants.getStore();
}

/** Confines a session to the rows of an account ($1), or of none (empty). */
export const CONFINE = `select set_config('${ACCOUNT_SETTING}', $1, false)`;
