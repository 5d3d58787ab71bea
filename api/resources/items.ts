import { archiveItem, createItem, type TaxedItem, updateItem } from '../../commands/catalog/items.ts';
import { searchWords } from '../../db/queries/kernel/search.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { CATALOG_KEYS, CATALOG_WORDS } from '../../db/schema/indexes.ts';
import { Item } from '../../db/schema/item.ts';
import { TaxRate } from '../../db/schema/taxRate.ts';
import { presentItem } from '../../present/catalog/products.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { taxRate } from './taxRates.ts';

const item = shown.shape('Item', 'Catalog item: a product or service with its price, from which lines are filled', {
  id: shown.code('Id of the item: chosen at creation, otherwise generated', 'support-hour'),
  name: shown.text('Name of the item, as printed on documents', 'Support hour'),
  currency: shown.nullable(shown.currency('Currency of the price: three-letter ISO 4217 code; null: any')),
  unit_cost: shown.money('Price per unit', 120),
  description: shown.nullable(shown.text('Description, printed below the name', 'Remote support by an engineer')),
  type: shown.nullable(shown.text('Category of its lines in reports', 'service')),
  taxable: shown.flag('False: taxes of a document do not apply to its lines', true),
  taxes: shown.listOf(taxRate, 'Tax rates of its lines'),
  taxengine_tax_code: shown.nullable(shown.text('Tax code for the tax engine', 'SW050000'), null),
  taxengine_location_code: shown.nullable(shown.text('Location code for the tax engine', 'HQ'), null),
  gl_account: shown.nullable(shown.text('General ledger account of its revenue', '4000')),
  discountable: shown.flag('False: discounts of a document do not apply to its lines', true),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

const readOnly = ['object', 'created_at', 'updated_at'];

const MOST_TAXES = 20;

const newItem = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    currency: fields.currency,
    unit_cost: fields.withDefault(fields.decimal, '0'),
    description: fields.longText,
    type: fields.text(),
    taxable: fields.withDefault(fields.boolean, true),
    taxes: fields.list(fields.required(fields.code), MOST_TAXES),
    taxengine_tax_code: fields.reference,
    taxengine_location_code: fields.reference,
    discountable: fields.withDefault(fields.boolean, true),
    gl_account: fields.reference,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

/** Fields that are fixed at creation. To change a price, archive the item and create it again. */
const fixed = ['id', 'currency', 'unit_cost', 'gl_account', 'taxable', 'taxes', 'discountable'];
const fixedToo = ['taxengine_tax_code', 'taxengine_location_code'];

const itemChange = object(
  {
    name: fields.kept(fields.name),
    description: fields.longText,
    type: fields.text(),
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly, fixed: [...fixed, ...fixedToo] },
);

export const items: Resource<Item, 'code'> = {
  name: 'Item',
  area: 'catalog',
  shape: item,
  row: Item,
  idColumn: 'code',
  metadata: true,
  searchable: searchWords(
    { words: CATALOG_WORDS, keys: CATALOG_KEYS, columns: { name: 'name', id: 'code' } },
    '`name` and `id`',
  ),
  exists: condition('archived_at is null'),
  columns: {
    id: column('code', fields.code),
    name: column('name', fields.text()),
    type: filtered('type', fields.text()),
    currency: filtered('currency', fields.currency),
    gl_account: filtered('gl_account', fields.text()),
    taxable: filtered('taxable', fields.boolean),
    discountable: filtered('discountable', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (reading, rows) => {
    const ids = rows.flatMap((row) => row.taxRateIds);
    const rates = await reading.byId(TaxRate, ids);
    return rows.map((row) => presentItem(row, rates));
  },
};

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
