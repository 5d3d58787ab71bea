import { condition } from '../../../db/queries/kernel/sql.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { presentPendingLine } from '../../../present/documents/lineItem.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { lineFields } from '../documents/fields.ts';
import { lineItem } from '../documents/shape.ts';
import { items } from '../items.ts';
import { plans } from '../plans.ts';

export const pendingLineItem = shown.extended(lineItem, 'PendingLineItem', {
  customer: shown.id('Id of the customer whose next bill contains it'),
  currency: shown.currency(
    'Currency: three-letter ISO 4217 code; only bills in it contain the line. Default: the currency of the item, the customer or the account',
  ),
  updated_at: shown.updatedAt,
});

const readOnly = ['id', 'object', 'amount', 'plan', 'customer', 'prorated', 'updated_at'];

export const newLineItem = object({ ...lineFields, currency: fields.currency }, { readOnly });

const { catalog_item: _, ...changeable } = lineFields;

const fixed = ['catalog_item', 'currency', 'customer'];

export const lineItemChange = object(changeable, { readOnly: readOnly.filter((name) => !fixed.includes(name)), fixed });

/** The pending lines of the customer in the path. */
export const lineItems: Resource<LineItem, 'id'> = {
  name: 'Line item',
  area: 'documents',
  shape: pendingLineItem,
  row: LineItem,
  idColumn: 'id',
  hasLongIds: true,
  metadata: true,
  exists: condition('customer_id is not null'),
  owner: { to: () => customers, param: 'customer_id', column: 'customer_id' },
  columns: {
    id: column('id', fields.longId),
    catalog_item: filtered('item_code', fields.code),
    type: filtered('type', fields.text()),
    name: column('name', fields.text()),
    currency: filtered('currency', fields.currency),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentPendingLine),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer?.id ?? null,
    ),
    catalog_item: relation(
      () => items,
      (row) => row.itemCode ?? null,
    ),
    plan: relation(
      () => plans,
      (row) => row.planCode ?? null,
    ),
  },
};
