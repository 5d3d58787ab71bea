import { archiveItem, createItem, type TaxedItem, updateItem } from '../../../commands/catalog/items.ts';
import { presentItem } from '../../../present/catalog/item.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { items } from './resource.ts';
import { itemChange, newItem } from './schema.ts';

const path = '/items';
const present = ({ item, taxRates }: TaxedItem) => presentItem(item, taxRates);

export const itemRoutes: Route[] = [
  createRoute({
    path,
    resource: items,
    summary: 'Create an item',
    body: newItem,
    present,
    example: { id: 'support-hour', name: 'Support hour', unit_cost: 120, currency: 'usd', type: 'service' },
    command: (em, { caller, body }, now) => {
      const { id, name, currency, unit_cost: unitCost, description, type, taxable, discountable, metadata } = body;
      const { gl_account: glAccount, taxengine_tax_code: taxengineTaxCode } = body;
      const titles = { name, description, type, metadata };
      const taxing = { taxable, taxengineTaxCode, taxengineLocationCode: body.taxengine_location_code };
      const fields = { ...titles, ...taxing, currency, unitCost, glAccount, discountable };
      return createItem(em, { caller, code: id ?? null, taxes: body.taxes ?? [], fields }, now);
    },
  }),
  listRoute({ path, resource: items, summary: 'List items' }),
  readRoute({ path, resource: items, summary: 'Read an item' }),
  updateRoute({
    path,
    resource: items,
    summary: 'Change an item: name, description, type or metadata',
    present,
    body: itemChange,
    example: { name: 'Support, per hour' },
    command: (em, { caller, code, body }, now) => updateItem(em, { caller, code, fields: body }, now),
  }),
  deleteRoute({ path, resource: items, summary: 'Archive an item; documents keep it', command: archiveItem }),
];
