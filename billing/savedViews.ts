/** Lists of which members save views, by the name in their path. */
export const savedLists = [
  'customers',
  'invoices',
  'estimates',
  'credit_notes',
  'payments',
  'charges',
  'refunds',
  'disputes',
  'write_offs',
  'credit_balance_adjustments',
  'subscriptions',
  'items',
  'plans',
  'coupons',
  'sign_up_pages',
  'payment_links',
  'tasks',
  'notes',
  'emails',
  'text_messages',
  'problems',
  'events',
] as const;

export type SavedList = (typeof savedLists)[number];

/** Parameters of a list by their names, such as `filter[status]`, `sort` and `search`. */
export type SavedQuery = Readonly<Record<string, string>>;

/** A column of a view. `width`: in pixels; null: as wide as the list decides. */
export interface SavedColumn {
  name: string;
  width: number | null;
}
