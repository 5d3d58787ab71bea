import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { eventCount, exact, metadata, taxRateIds, tenantKey, timestamps } from './columns.ts';
import { CATALOG_KEYS, metadataIndex, partialIndex, searchIndex } from './indexes.ts';

const LIVE = 'archived_at is null';

const ItemSchema = defineEntity({
  name: 'Item',
  policies: tenantPolicies,
  comment: 'An item of the catalog; `code` is the public id and can be reused after archiving',
  properties: {
    ...tenantKey,
    code: p.string().length(64),
    name: p.string().length(255),
    currency: p.string().length(3).nullable(),
    unitCost: exact(),
    description: p.text().nullable(),
    type: p.string().length(255).nullable(),
    taxable: p.boolean(),
    taxRateIds,
    taxengineTaxCode: p.string().length(255).nullable(),
    taxengineLocationCode: p.string().length(255).nullable(),
    discountable: p.boolean(),
    glAccount: p.string().length(255).nullable(),
    metadata,
    archivedAt: p.datetime().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'item_by_code', properties: ['accountId', 'code'] }, // archived ones too: rows that refer to them find them by it
    {
      name: 'item_code',
      expression: 'create unique index "item_code" on "item" ("account_id", "code") where archived_at is null',
    },
    partialIndex('item', 'item_live', ['account_id, id', LIVE]),
    partialIndex('item', 'item_by_name', ['account_id, name, id', LIVE]),
    partialIndex('item', 'item_by_type', ['account_id, type, id', LIVE]),
    partialIndex('item', 'item_by_currency', ['account_id, currency, id', LIVE]),
    partialIndex('item', 'item_by_gl_account', ['account_id, gl_account, id', LIVE]),
    partialIndex('item', 'item_by_taxable', ['account_id, taxable, id', LIVE]),
    partialIndex('item', 'item_by_discountable', ['account_id, discountable, id', LIVE]),
    partialIndex('item', 'item_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('item', 'item_by_updated', ['account_id, updated_at, id', LIVE]),
    metadataIndex('item'),
    searchIndex('item', CATALOG_KEYS),
  ],
});
export class Item extends ItemSchema.class {}
ItemSchema.setClass(Item);
