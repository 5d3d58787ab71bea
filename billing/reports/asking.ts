import { type Asked, daysOf } from './report.ts';

/** What a report is asked for, as JSON. */
export interface StoredAsked extends Omit<Asked, 'days' | 'knownAt'> {
  firstDay: string;
  lastDay: string;
  /** ISO 8601. */
  knownAt: string;
}

export function storeAsked({ days: { firstDay, lastDay }, knownAt, ...asked }: Asked): StoredAsked {
  return { ...asked, firstDay, lastDay, knownAt: knownAt.toISOString() };
}

export function restoreAsked({ firstDay, lastDay, knownAt, ...asked }: StoredAsked): Asked {
  return { ...asked, days: daysOf(firstDay, lastDay, asked.zone), knownAt: new Date(knownAt) };
}
