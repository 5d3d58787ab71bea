import { archiveItem, createItem, updateItem } from '../../../commands/items.ts';
import { presentItem } from '../../../present/item.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathCode, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { items } from './resource.ts';
import { itemChange, newItem } from './schema.ts';

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
  listRoute('/items', items, 'List items'),
  readRoute('/items', items, 'Read an item'),
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
