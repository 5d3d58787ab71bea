import { defineEntity, p } from '@mikro-orm/core';
import { eventCount, exact, metadata, tenantKey, timestamps } from './columns.ts';

const ItemSchema = defineEntity({
  name: 'Item',
  comment: 'Catalog item; `code` is the id that clients see, free again once archived',
  properties: {
    ...tenantKey,
    code: p.string().length(64),
    name: p.string().length(255),
    currency: p.string().length(3).nullable(),
    unitCost: exact(),
    description: p.text().nullable(),
    type: p.string().length(255).nullable(),
    glAccount: p.string().length(255).nullable(),
    metadata,
    archivedAt: p.datetime().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    {
      name: 'item_code',
      expression: 'create unique index "item_code" on "item" ("account_id", "code") where archived_at is null',
    },
  ],
});
export class Item extends ItemSchema.class {}
ItemSchema.setClass(Item);
