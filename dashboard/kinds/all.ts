import { documentKinds } from './documents.ts';
import type { Kind } from './kind.ts';
import { moneyKinds } from './money.ts';
import { peopleKinds } from './people.ts';
import { salesKinds } from './sales.ts';

/** Every kind of object that has a list and a page. */
export const kinds: readonly Kind[] = [...peopleKinds, ...documentKinds, ...moneyKinds, ...salesKinds];

/** The kind whose list has a name in a path. */
export const kindOfList = (list: string): Kind | undefined => kinds.find((kind) => kind.list === list);

/** The kind of an object of the API, by its `object`. */
export const kindOfObject = (object: string): Kind | undefined => kinds.find((kind) => kind.object === object);
