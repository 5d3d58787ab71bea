import { AsyncLocalStorage } from 'node:async_hooks';

/** Marks the logins that see the rows of all accounts; nobody logs in as it. */
export const SYSTEM_ROLE = 'perennial_system';

/** Session setting that the policies of all tables compare with the account of each row. */
export const ACCOUNT_SETTING = 'app.account_id';

const CURRENT_ACCOUNT = `(nullif(current_setting('${ACCOUNT_SETTING}'::text, true), ''::text))::integer`;

/**
 * The second wall between accounts, declared by every table whose rows belong to one: a statement that forgets the account finds that
 * account's rows alone, and none where nobody has said whose work it is.
 */
export const tenantPolicies = policiesOf(`(account_id = ${CURRENT_ACCOUNT})`);

/** Of the accounts themselves. */
export const accountPolicies = policiesOf(`(id = ${CURRENT_ACCOUNT})`);

/** Of what belongs to a live account and is good for its sandbox twin. */
export const twinPolicies = policiesOf(
  `((account_id = ${CURRENT_ACCOUNT}) or (account_id = ( select account.twin_id from account where (account.id = ${CURRENT_ACCOUNT}))))`,
);

function policiesOf(using: string) {
  return [
    { name: 'tenant', using },
    { name: 'system', roles: [SYSTEM_ROLE], using: 'true' },
  ];
}

/** Whose rows a piece of work may see and write: an account's, everybody's, nobody's; unknown while it is found out. */
export type Tenant = number | 'system' | 'nobody' | 'unknown';

const tenants = new AsyncLocalStorage<Tenant>();

/** Does one account's work: all statements in it, however they are sent, are confined to its rows. */
export function asAccount<T>(accountId: number, work: () => T): T {
  return tenants.run(accountId, work);
}

const payers = new AsyncLocalStorage<number | undefined>();

/** Does work over all accounts; `payer`: for the sake of one account, which has no more connections for it than its share. */
export function asSystem<T>(work: () => T, payer?: number): T {
  return payers.run(payer, () => tenants.run('system', work));
}

export function currentPayer(): number | undefined {
  return payers.getStore();
}

/**
 * Finds out whose work it is, by a statement that says so to its session itself and answers `CONFINED_TO`: whoever goes on with that
 * session need not say it again.
 */
export function findingTenant<T>(work: () => T): T {
  return tenants.run('unknown', work);
}

/** Column of the first row that a statement answers which has confined its session: to which account. */
export const CONFINED_TO = 'confined_to';

export function currentTenant(): Tenant | undefined {
  return tenants.getStore();
}

/** Tells a session whose rows it may see, as $1: those of an account, or of none. */
export const CONFINE = `select set_config('${ACCOUNT_SETTING}', $1, false)`;
