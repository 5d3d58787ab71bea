import { type Asked, daysOf } from './report.ts';

/** What a report is asked for, as JSON. */
export interface StoredAsked extends Omit<Asked, 'days' | 'now' | 'knownAt'> {
  firstDay: string;
  lastDay: string;
  /** ISO 8601. */
  now: string;
  knownAt: string;
}

export function storeAsked({ days: { firstDay, lastDay }, now, knownAt, ...asked }: Asked): StoredAsked {
  return { ...asked, firstDay, lastDay, now: now.toISOString(), knownAt: knownAt.toISOString() };
}

export function restoreAsked({ firstDay, lastDay, now, knownAt, ...asked }: StoredAsked): Asked {
  return { ...asked, days: daysOf(firstDay, lastDay, asked.zone), now: new Date(now), knownAt: new Date(knownAt) };
}
