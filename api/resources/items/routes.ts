import { archiveItem, createItem, updateItem } from '../../../commands/items.ts';
import { Item } from '../../../db/schema/item.ts';
import { presentItem } from '../../../present/item.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { found, pathCode, type Route, reply, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { itemChange, newItem } from './schema.ts';

const where = conditionsOn<Item>();

const items: Listing<Item> = {
  row: Item,
  scope: ({ caller }) => ({ accountId: caller.account.id, archivedAt: null }),
  sort: {
    id: (to) => ({ code: to }),
    name: (to) => ({ name: to }),
    created_at: (to) => ({ createdAt: to }),
    updated_at: (to) => ({ updatedAt: to }),
  },
  filter: {
    id: where(fields.code, (code) => ({ code })),
    name: where(fields.text(), (name) => ({ name })),
    type: where(fields.text(), (type) => ({ type })),
    currency: where(fields.currency, (currency) => ({ currency })),
    gl_account: where(fields.text(), (glAccount) => ({ glAccount })),
  },
  parameters: {
    updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
    updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Item, conditions, slice),
  present: presentItem,
};

export const itemRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/items',
    summary: 'Add an item to the catalog',
    body: newItem,
    handle: (request, body) => {
      const { id, name, currency, unit_cost: unitCost, description, type, gl_account: glAccount, metadata } = body;
      const known = { name, currency, unitCost, description, type, glAccount, metadata };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createItem(em, { caller, code: id ?? null, fields: known }, now),
        present: presentItem,
      });
    },
  }),
  {
    method: 'GET',
    path: '/items',
    summary: 'List items',
    handle: (request) => list(request, items),
  },
  {
    method: 'GET',
    path: '/items/:id',
    summary: 'Read an item',
    handle: async (request) => {
      const code = pathCode(request, 'Item');
      const item = await request.em.findOne(Item, { accountId: request.caller.account.id, code, archivedAt: null });
      return reply(200, presentItem(found(item, 'Item', code)));
    },
  },
  withBody({
    method: 'PATCH',
    path: '/items/:id',
    summary: 'Change name, description, type or metadata of an item',
    body: itemChange,
    handle: (request, body) => {
      const code = pathCode(request, 'Item');
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => updateItem(em, { caller, code, fields: body }, now),
        present: presentItem,
      });
    },
  }),
  {
    method: 'DELETE',
    path: '/items/:id',
    summary: 'Take an item out of the catalog',
    handle: (request) => {
      const code = pathCode(request, 'Item');
      return write(request, {
        statusCode: 204,
        command: (em, caller, now) => archiveItem(em, { caller, code }, now),
        present: () => null,
      });
    },
  },
];
