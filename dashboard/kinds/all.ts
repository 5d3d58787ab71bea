import { documentKinds } from './documents.ts';
import type { Kind, ListName } from './kind.ts';
import { moneyKinds } from './money.ts';
import { peopleKinds } from './people.ts';
import { salesKinds } from './sales.ts';

/** Every kind of object that has a list and a page. */
export const kinds: readonly Kind[] = [...peopleKinds, ...documentKinds, ...moneyKinds, ...salesKinds];

/** The lists as the frame shows them: each group is one subject. */
export const groups: readonly (readonly ListName[])[] = [
  ['customers', 'tasks'],
  ['invoices', 'estimates', 'credit_notes', 'payment_links'],
  ['payments', 'charges', 'refunds', 'disputes'],
  ['subscriptions', 'plans', 'items', 'coupons', 'sign_up_pages'],
  ['emails', 'notes', 'events'],
];

/** The kind whose list has a name in a path. */
export const kindOfList = (list: string): Kind | undefined => kinds.find((kind) => kind.list === list);

/** The kind of an object of the API, by its `object`. */
export const kindOfObject = (object: string): Kind | undefined => kinds.find((kind) => kind.object === object);
