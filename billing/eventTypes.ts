const actions = {
  charge: ['failed', 'disputed'],
  contact: ['created', 'updated', 'deleted'],
  credit_balance_adjustment: ['created', 'updated', 'deleted'],
  credit_note: ['created', 'updated', 'deleted', 'viewed'],
  customer: ['created', 'updated', 'deleted', 'merged'],
  estimate: ['created', 'updated', 'deleted', 'viewed', 'approved'],
  invoice: ['created', 'updated', 'deleted', 'viewed', 'payment_expected', 'paid'],
  line_item: ['created', 'updated', 'deleted'],
  note: ['created', 'updated', 'deleted'],
  payment: ['created', 'updated', 'deleted'],
  payment_link: ['created', 'updated', 'deleted'],
  payment_plan: ['created', 'updated', 'deleted'],
  payment_source: ['created', 'updated', 'deleted'],
  sign_up_page: ['created', 'updated', 'deleted'],
  subscription: ['created', 'updated', 'deleted', 'usage_threshold'],
  task: ['created', 'updated', 'deleted', 'completed'],
} as const;

type Actions = typeof actions;
/** An object and an action, such as `invoice.paid`. */
export type EventType = { [Name in keyof Actions]: `${Name}.${Actions[Name][number]}` }[keyof Actions];

/** All event types. Endpoints may already subscribe to those of objects that the product does not have yet. */
export const eventTypes: readonly string[] = Object.entries(actions).flatMap(([object, verbs]) =>
  verbs.map((verb) => `${object}.${verb}`),
);
