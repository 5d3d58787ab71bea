import type { Element } from '../../client/operations.ts';
import type { WorkWords } from '../../words/worklist/wording.ts';
import type { Search } from '../lists/state.ts';
import { can, type Me } from '../session.ts';

type Read = Element<'/worklist'>;

/** Something that waits for a person, with the ids of its customer and its task. */
export type Item = Omit<Read, 'customer' | 'task'> & { customer: number | null; task: number | null };

const idOf = (of: number | { id: number } | null): number | null => (typeof of === 'object' ? (of?.id ?? null) : of);

export const itemsOf = (read: readonly Read[]): Item[] =>
  read.map((one) => ({ ...one, customer: idOf(one.customer), task: idOf(one.task) }));

export const whose = ['me', 'team', 'unassigned'] as const;
export type Whose = (typeof whose)[number];

/** What of the worklist is shown, as its address says it. */
export interface Shown {
  who: Whose;
  kind: Item['kind'] | null;
  /** Id of the open item; null: the address names none. */
  item: string | null;
}

const isWhose = (text: string | undefined): text is Whose => whose.some((one) => one === text);

/** A person without work of its own, such as one that is no member, begins with that of the team. */
export function shownIn(
  { who, kind, item }: Search,
  { kinds, isMember }: { kinds: WorkWords['kind']; isMember: boolean },
): Shown {
  const isKind = (text = ''): text is Item['kind'] => Object.hasOwn(kinds, text);
  return { who: isWhose(who) ? who : isMember ? 'me' : 'team', kind: isKind(kind) ? kind : null, item: item ?? null };
}

/** What can be done with an item. */
export type ActName = 'done' | 'log' | 'later' | 'mine' | 'retry' | 'charge' | 'apply' | 'open';

/** The key of each act. Keys work where no field has the focus. */
export const keyOf: Readonly<Record<ActName, string>> = {
  done: 'd',
  log: 'c',
  later: 'l',
  mine: 'm',
  retry: 'r',
  charge: 'g',
  apply: 'a',
  open: 'o',
};

/** Items with a deadline of somebody else, which nobody can put off. */
const hasDeadline = ({ kind }: Item): boolean => kind === 'dispute' || kind === 'disputed_invoice';

/** What a person can do with an item, the usual act first. */
export function actsOn(item: Item, me: Me): ActName[] {
  const { kind, task, customer, user_id: user } = item;
  const mayDo = can(me, 'collections.write');
  const acts: [ActName, boolean][] = [
    ['retry', kind === 'problem' && mayDo],
    ['apply', kind === 'unapplied_payment'],
    ['done', task !== null && mayDo],
    ['log', task === null && customer !== null && mayDo],
    ['charge', kind === 'failed_charge' && can(me, 'payments.write')],
    ['later', task !== null && !hasDeadline(item) && mayDo],
    ['mine', task !== null && mayDo && me.member !== null && user !== me.member.id],
    ['open', kind !== 'problem' && kind !== 'unapplied_payment'],
  ];
  return acts.filter(([, isPossible]) => isPossible).map(([name]) => name);
}

/** The item after one that is done: the one below it, or else the one above it. */
export function nextOf(items: readonly Item[], id: string): Item | null {
  const place = items.findIndex((one) => one.id === id);
  const others = items.filter((one) => one.id !== id);
  return others[Math.min(Math.max(place, 0), others.length - 1)] ?? null;
}

/** The item that is a number of places further; the same one at the ends. */
export function movedFrom(items: readonly Item[], id: string | null, by: number): Item | null {
  const place = items.findIndex((one) => one.id === id);
  return items[Math.min(Math.max(place + by, 0), items.length - 1)] ?? null;
}

/** The name by which people tell an item. */
export const nameOf = ({ customer_name: name, title }: Item): string => name || title;
