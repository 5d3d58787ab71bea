import type { Answer } from '../../client/index.ts';

export type ForeseenCustomer = Answer<'get', '/chasing_cadences/{id}/preview'>['customers'][number];

/** Which customers of a cadence are shown: by their next step, their last one, or why nothing comes; `all`: everybody. */
export interface Which {
  by: 'all' | 'next' | 'last' | 'why';
  what: string;
}

export const EVERYBODY: Which = { by: 'all', what: '' };

/** What an address says: `next:12`, `last:11`, `why:finished`. Everything else is everybody. */
export function whichIn(text: string | undefined): Which {
  const [, by, what = ''] = /^(next|last|why):(\w+)$/.exec(text ?? '') ?? [];
  return by === 'next' || by === 'last' || by === 'why' ? { by, what } : EVERYBODY;
}

export const textOfWhich = ({ by, what }: Which): string => (by === 'all' ? '' : `${by}:${what}`);

const LATER = 'later';

/** Why nothing comes for a customer in the days that were looked at; null: something does. */
export const whyOf = ({ steps, reason }: Pick<ForeseenCustomer, 'steps' | 'reason'>): string | null =>
  steps.length > 0 ? null : (reason ?? LATER);

/** Whether a customer belongs to those that are shown. */
export function isIn({ by, what }: Which, customer: Pick<ForeseenCustomer, 'steps' | 'reason' | 'last_step'>): boolean {
  if (by === 'all') return true;
  if (by === 'next') return String(customer.steps[0]?.chase_step ?? '') === what;
  if (by === 'last') return String(customer.last_step?.chase_step ?? '') === what;
  return whyOf(customer) === what;
}
