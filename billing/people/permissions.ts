/** Subjects of permissions, in the order in which roles are shown. */
export const areas = [
  'customers',
  'catalog',
  'documents',
  'payments',
  'refunds',
  'corrections',
  'subscriptions',
  'collections',
  'reports',
  'settings',
  'developers',
  'people',
] as const;

export type Area = (typeof areas)[number];
export type Permission = `${Area}.${'read' | 'write'}`;

/** What each area covers, for the reference and the pages. */
export const coveredBy: Readonly<Record<Area, string>> = {
  customers: 'customers, contacts, notes, account statements',
  catalog: 'items, plans, coupons, tax rates, tax rules and custom fields',
  documents: 'invoices, estimates, payment plans, pending lines, files, mails',
  payments: 'payments, charges, payment sources, disputes',
  refunds: 'refunds',
  corrections: 'voids, credit notes, write-offs, credit adjustments, deleted payments',
  subscriptions: 'subscriptions and usage',
  collections: 'tasks, chasing cadences, late fees, text messages, problems',
  reports: 'reports and the audit of numbers',
  settings: 'the account, numbering, templates, themes, gateways, mail',
  developers: 'API keys, OAuth applications, webhooks, events, test clocks',
  people: 'members, roles, the audit log',
};

const reads = (of: readonly Area[]) => of.map((area): Permission => `${area}.read`);
const writes = (of: readonly Area[]) => of.map((area): Permission => `${area}.write`);

/** All permissions, area by area. */
export const permissions: readonly Permission[] = areas.flatMap((area) => [...reads([area]), ...writes([area])]);

/** Permissions that keep the company running: no member with an owner limit holds them. */
const OF_ALL_CUSTOMERS: readonly Area[] = ['settings', 'developers', 'people'];
const WITHOUT_SECRETS: readonly Area[] = areas.filter((area) => area !== 'developers' && area !== 'people');
const OF_BUSINESS: readonly Area[] = areas.filter((area) => !OF_ALL_CUSTOMERS.includes(area));
const DAILY: readonly Area[] = ['customers', 'documents', 'payments', 'subscriptions', 'collections'];

export const ADMINISTRATOR = 'administrator';

/** A role that every account has. Its permissions change only with the product. */
export interface BuiltInRole {
  name: string;
  permissions: readonly Permission[];
}

const builtIn = {
  [ADMINISTRATOR]: { name: 'Administrator', permissions },
  account_manager: {
    name: 'Account manager',
    permissions: inOrder([...reads(WITHOUT_SECRETS), ...writes(OF_BUSINESS)]),
  },
  employee: { name: 'Employee', permissions: inOrder([...reads(WITHOUT_SECRETS), ...writes(DAILY)]) },
  read_only: { name: 'Read only', permissions: inOrder(reads(WITHOUT_SECRETS)) },
} as const satisfies Readonly<Record<string, BuiltInRole>>;

export const builtInRoles: ReadonlyMap<string, BuiltInRole> = new Map(Object.entries(builtIn));

/** Permissions without repetitions, in their order. Who may write an area may read it. */
export function inOrder(given: readonly Permission[]): Permission[] {
  const held = new Set<string>(given);
  return permissions.filter(
    (one) => held.has(one) || (one.endsWith('.read') && held.has(one.replace('.read', '.write'))),
  );
}

/** A member's rights: its role, the permissions of a role that the account made, and whether it sees only its own customers. */
export interface Rights {
  role: string;
  /** Null for a built-in role. */
  permissions: readonly Permission[] | null;
  isLimited: boolean;
}

/** What a member may do. A role that is gone permits nothing. */
export function permissionsOf({ role, permissions: own, isLimited }: Rights): readonly Permission[] {
  const all = builtInRoles.get(role)?.permissions ?? own ?? [];
  return isLimited ? all.filter((one) => !OF_ALL_CUSTOMERS.some((area) => one.startsWith(`${area}.`))) : all;
}

/** What a key without a member may do: everything but to manage people. */
export const keyPermissions: readonly Permission[] = permissions.filter((one) => !one.startsWith('people.'));

/** Permissions that one holds beyond another, in their order. Nobody may grant these. */
export function beyond(wanted: readonly Permission[], held: readonly Permission[]): Permission[] {
  return wanted.filter((one) => !held.includes(one));
}
