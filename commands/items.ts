import type { EntityManager } from '../db/orm.ts';
import { Item } from '../db/schema/item.ts';
import type { Caller } from './caller.ts';
import { assignChanges } from './changes.ts';
import { takeCode } from './codes.ts';
import { Missing } from './missing.ts';

export interface NewItem {
  caller: Caller;
  /** The id that clients see; null: made here. */
  code: string | null;
  fields: Pick<Item, 'name' | 'currency' | 'unitCost' | 'description' | 'type' | 'glAccount'> & {
    metadata: Record<string, string>;
  };
}

export interface ItemKey {
  caller: Caller;
  code: string;
}

export interface ItemChange extends ItemKey {
  fields: {
    name?: string | undefined;
    description?: string | null | undefined;
    type?: string | null | undefined;
    metadata?: Record<string, string> | undefined;
  };
}

/** Adds an item to the catalog. Refuses an id that another item has. */
export async function createItem(em: EntityManager, input: NewItem, systemNow: Date): Promise<Item> {
  const accountId = input.caller.account.id;
  const code = await takeCode(em, { kind: 'item', accountId, code: input.code });
  return em.create(Item, { ...input.fields, accountId, code, createdAt: systemNow, updatedAt: systemNow });
}

/** Changes what does not alter prices. Throws Missing. */
export async function updateItem(em: EntityManager, change: ItemChange, systemNow: Date): Promise<Item> {
  const item = await findItem(em, change);
  if (assignChanges(item, change.fields)) item.updatedAt = systemNow;
  return item;
}

/** Takes an item out of the catalog; what refers to it goes on with it, and its id is free again. Throws Missing. */
export async function archiveItem(em: EntityManager, key: ItemKey, systemNow: Date): Promise<Item> {
  const item = await findItem(em, key);
  return Object.assign(item, { archivedAt: systemNow, updatedAt: systemNow });
}

async function findItem(em: EntityManager, { caller, code }: ItemKey): Promise<Item> {
  const item = await em.findOne(Item, { accountId: caller.account.id, code, archivedAt: null });
  if (!item) throw new Missing('Item', code);
  return item;
}
