import type { Permission } from '../people/permissions.ts';

/** Lists whose objects an act may change, or a job may write to a file. */
export const bulkLists = ['customers', 'invoices', 'estimates', 'credit_notes', 'payments', 'subscriptions'] as const;
export type BulkList = (typeof bulkLists)[number];

interface BulkAct {
  lists: readonly BulkList[];
  /** What the route needs that does the same to one object. Null: to read the list. */
  permission: Permission | null;
  /** Names of the parameters that it takes. */
  parameters: readonly (keyof BulkParameters)[];
  /** Those without which it is refused. */
  required: readonly (keyof BulkParameters)[];
}

/** Parameters of acts, as they are stored. */
export interface BulkParameters {
  template?: string | null | undefined;
  subject?: string | null | undefined;
  message?: string | null | undefined;
  /** Id of a member; null: nobody. */
  owner?: number | null | undefined;
  reason?: string | null | undefined;
  rebill_usage?: boolean | null | undefined;
  type?: 'balance_forward' | 'open_item' | null | undefined;
  items?: 'open' | 'past_due' | null | undefined;
  currency?: string | null | undefined;
  /** UNIX time in seconds. */
  start?: number | null | undefined;
  end?: number | null | undefined;
  columns?: string | null | undefined;
  expand?: string | null | undefined;
  include?: string | null | undefined;
}

const DOCUMENTS = ['invoices', 'estimates', 'credit_notes'] as const;
const WORDS = ['subject', 'message'] as const;

/** Acts on many objects. Their work is in `commands/jobs/acts.ts`. */
export const bulkActs = {
  send: { lists: DOCUMENTS, permission: 'documents.write', parameters: ['template', ...WORDS], required: [] },
  remind: { lists: ['invoices'], permission: 'documents.write', parameters: WORDS, required: [] },
  assign: { lists: ['customers'], permission: 'customers.write', parameters: ['owner'], required: ['owner'] },
  void: { lists: DOCUMENTS, permission: 'corrections.write', parameters: ['rebill_usage'], required: [] },
  write_off: { lists: ['invoices'], permission: 'corrections.write', parameters: ['reason'], required: ['reason'] },
  statement: {
    lists: ['customers'],
    permission: 'customers.write',
    parameters: ['template', ...WORDS, 'type', 'items', 'currency', 'start', 'end'],
    required: [],
  },
  csv: { lists: bulkLists, permission: null, parameters: ['columns', 'expand', 'include'], required: [] },
} as const satisfies Readonly<Record<string, BulkAct>>;

export type BulkAction = keyof typeof bulkActs;

export const bulkActions = Object.keys(bulkActs).filter((name): name is BulkAction => name in bulkActs);

/** What an act takes. */
export const bulkActOf = (action: BulkAction): BulkAct => bulkActs[action];

/** Most objects that a request names, and that a filter may choose. */
export const MOST_IDS = 10_000;
export const MOST_CHOSEN = 100_000;
/** Refused rows that the job itself shows. Its file has all. */
export const MOST_REFUSED = 100;
