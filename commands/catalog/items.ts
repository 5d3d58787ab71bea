import type { EntityManager } from '../../db/orm.ts';
import { Item } from '../../db/schema/item.ts';
import type { TaxRate } from '../../db/schema/taxRate.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { namedCodes, takeCode } from './codes.ts';
import { findTaxRates, taxRatesById } from './taxRates.ts';

export interface NewItem {
  caller: Caller;
  /** The id that clients see; null: generated. */
  code: string | null;
  /** Codes of the tax rates that its lines get. */
  taxes: readonly string[];
  fields: Pick<Item, 'name' | 'currency' | 'unitCost' | 'description' | 'type' | 'glAccount'> &
    Pick<Item, 'taxable' | 'taxengineTaxCode' | 'taxengineLocationCode' | 'discountable'> & {
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

/** An item with the tax rates that it names. */
export interface TaxedItem {
  item: Item;
  taxRates: Map<number, TaxRate>;
}

/** Creates an item. Refuses the id of another item, unknown tax rates, and tax rates of another currency. */
export async function createItem(em: EntityManager, input: NewItem, systemNow: Date): Promise<TaxedItem> {
  const accountId = input.caller.account.id;
  const code = await takeCode(em, { kind: 'item', accountId, code: input.code });
  const { fields } = input;
  const codes = namedCodes(input.taxes, 'taxes');
  const rates = await findTaxRates(em, { accountId, codes, currency: fields.currency ?? null });
  const taxRateIds = rates.map(({ id }) => id);
  const times = { createdAt: systemNow, updatedAt: systemNow };
  const item = em.create(Item, { ...fields, ...times, accountId, code, taxRateIds });
  return { item, taxRates: new Map(rates.map((rate) => [rate.id, rate])) };
}

/** Changes fields that do not affect prices. Throws Missing. */
export async function updateItem(em: EntityManager, change: ItemChange, systemNow: Date): Promise<TaxedItem> {
  const item = await findItem(em, change);
  if (assignChanges(item, change.fields)) item.updatedAt = systemNow;
  const { accountId, taxRateIds: ids } = item;
  return { item, taxRates: await taxRatesById(em, { accountId, ids }) };
}

/** Archives an item. Objects that refer to it keep it. Its id can be used again. Throws Missing. */
export async function archiveItem(em: EntityManager, key: ItemKey, systemNow: Date): Promise<Item> {
  const item = await findItem(em, key);
  return Object.assign(item, { archivedAt: systemNow, updatedAt: systemNow });
}

async function findItem(em: EntityManager, { caller, code }: ItemKey): Promise<Item> {
  const item = await em.findOne(Item, { accountId: caller.account.id, code, archivedAt: null });
  if (!item) throw new Missing('Item', code);
  return item;
}
