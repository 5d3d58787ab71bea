import { AsyncLocalStorage } from 'node:async_hooks';

/** Role of the logins that see the rows of all accounts; nobody logs in as the role itself. */
export const SYSTEM_ROLE = 'perennial_system';

/**
 * Role in which a session works for a member that sees only the customers that it owns. Nobody logs in as it; the login that works for
 * accounts may switch to it. Only for this role, policies compare customers with the owner, so they cost others nothing.
 */
export const LIMITED_ROLE = 'perennial_limited';

/** Session setting with the id of the member whose customers the session sees; set only in the role `LIMITED_ROLE`. */
export const OWNER_SETTING = 'app.owner_id';

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

const CURRENT_OWNER = `(nullif(current_setting('${OWNER_SETTING}'::text, true), ''::text))::integer`;

/** The policies of customers. A limited member sees the customers that it owns. It owns those that it creates. */
export const ownerPolicies = [...tenantPolicies, ownerPolicy(`(owner_id = ${CURRENT_OWNER})`)];

/** SQL: whether the session sees a row of another table, whose policies apply. */
function seen(table: string, own: string, id: string): string {
  return `(exists ( select 1 from ${table} o where ((o.account_id = ${own}.account_id) and (o.id = ${id}))))`;
}

/**
 * The policies of a table whose rows belong to customers, directly or through objects: a limited member sees a row if it sees an object that
 * the row names. `through`: the tables of these objects. The columns with their ids are named after them, or given before them.
 */
export function policiesThrough(
  own: string,
  ...through: readonly (string | readonly [column: string, table: string])[]
) {
  const conditions = through.map((one) => {
    const [column, table] = typeof one === 'string' ? [`${one}_id`, one] : one;
    return seen(table, own, `${own}.${column}`);
  });
  return [...tenantPolicies, ownerPolicy(anyOf(conditions))];
}

/** The policies of files: a limited member sees its uploads and what its customers' documents carry. */
export const filePolicies = [
  ...tenantPolicies,
  ownerPolicy(
    anyOf([
      `(owner_id = ${CURRENT_OWNER})`,
      '(exists ( select 1 from attachment o where ((o.account_id = file.account_id) and (o.file_id = file.id))))',
    ]),
  ),
];

/** The policies of addresses without mail: a limited member sees those of its customers and their contacts. */
export const addressPolicies = [...tenantPolicies, ownerPolicy(anyOf(['customer', 'contact'].map(hasAddress)), 'true')];

function hasAddress(table: string): string {
  return `(exists ( select 1 from ${table} o where ((o.account_id = suppression.account_id) and (lower((o.email)::text) = (suppression.address)::text))))`;
}

/** Columns that name an object by its type and id, and the table of each type. */
interface Typed {
  type: string;
  id: string;
  tables: Readonly<Record<string, string>>;
}

/** The types of objects that are named after their tables, for `policiesByType`. */
export function named(types: readonly string[]): Typed['tables'] {
  return Object.fromEntries(types.map((type) => [type, type]));
}

/**
 * The policies of rows about objects of several types: a limited member sees those about objects that it sees. It may add any, because the
 * object may be gone.
 */
export function policiesByType(own: string, { type, id, tables }: Typed) {
  const conditions = Object.entries(tables).map(
    ([name, table]) => `(((${type})::text = '${name}'::text) and ${seen(table, own, `(${own}.${id})::bigint`)})`,
  );
  return [...tenantPolicies, ownerPolicy(anyOf(conditions), 'true')];
}

/** The policies of rows that a limited member reads and does not change, because they concern all customers. */
export const sharedPolicies = [...tenantPolicies, ownerPolicy('true', 'false')];

/** The policies of rows that are closed to a limited member, which may add some. */
export const closedPolicies = [...tenantPolicies, ownerPolicy('false', 'true')];

/** The policies of rows of members, which they may share: a limited member sees its own and shared ones, and writes its own. */
export const ofMemberPolicies = [
  ...tenantPolicies,
  ownerPolicy(`(shared or (member_id = ${CURRENT_OWNER}))`, `(member_id = ${CURRENT_OWNER})`),
];

function ownerPolicy(using: string, check?: string) {
  const policy = { name: 'owner', type: 'restrictive' as const, roles: [LIMITED_ROLE], using };
  return check === undefined ? policy : { ...policy, check };
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' or ')})`;
}

/** Row policies of the accounts themselves. */
export const accountPolicies = policiesOf(`(id = ${CURRENT_ACCOUNT})`);

/** Row policies of tables whose rows belong to a live account and are also visible to its sandbox twin. */
export const twinPolicies = policiesOf(
  `((account_id = ${CURRENT_ACCOUNT}) or (account_id = ( select account.twin_id from account where (account.id = ${CURRENT_ACCOUNT}))))`,
);

/**
 * Row policies of tables to which a sandbox adds rows of its live account, without seeing them: what it does to the members and roles that
 * both share.
 */
export const addingTwinPolicies = [
  ...tenantPolicies,
  {
    name: 'twin',
    command: 'insert' as const,
    check: `(account_id = ( select account.twin_id from account where ((account.id = ${CURRENT_ACCOUNT}) and ((account.environment)::text = 'sandbox'::text))))`,
  },
];

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

const owners = new AsyncLocalStorage<number | null>();

/** The same for a member that sees only the customers that it owns; `ownerId`: its id, null for all customers. */
export function withOwner<T>(accountId: number, ownerId: number | null, work: () => T): T {
  return ownerId === null ? withAccount(accountId, work) : owners.run(ownerId, () => withAccount(accountId, work));
}

/** The member whose customers alone the current work sees; null: it sees those of all. */
export function currentOwner(): number | null {
  return owners.getStore() ?? null;
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

/** The same, and to the customers of a member ($2) in a role ($3); empty and `none`: to all customers. */
export const CONFINE_TO_OWNER = `${CONFINE}, set_config('${OWNER_SETTING}', $2, false), set_config('role', $3, false)`;
