import { customFieldTypes, customizedObjects } from '../../billing/customFields.ts';
import {
  type CustomFieldKey,
  createCustomField,
  deleteCustomField,
  findCustomField,
  updateCustomField,
} from '../../commands/catalog/customFields.ts';
import { CustomField } from '../../db/schema/customField.ts';
import { presentCustomField } from '../../present/catalog/products.ts';
import { schemaOf } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import { readText, unfit } from '../body/readers.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, filtered, type Resource, readParameter, sorted, updatedBetween } from '../framework/resource.ts';
import { pathCode, type Route, reply, writtenForAll } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

const OBJECT = 'Kind of objects that have the field';
const EXTERNAL = 'Whether PDFs and pages of invoices, estimates and credit notes show it to the customer';
const CHOICES = 'Values that a field of the type `enum` may have, in order; other types have none';

const customField = shown.value('CustomField', 'Custom field: a key of `metadata` whose values are checked', {
  id: shown.code('Id of the field: its key in `metadata`', 'cost_centre'),
  object: shown.oneOf(OBJECT, 'customer', customizedObjects),
  name: shown.text('Name of the field, as documents print it', 'Cost centre'),
  type: shown.oneOf('Type of its values', 'enum', customFieldTypes),
  choices: shown.textList(CHOICES, 'Sales', 'Service'),
  external: shown.flag(EXTERNAL, true),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['created_at', 'updated_at'];

const CODE = /^[A-Za-z0-9_-]{1,40}$/;
const code = fields.field(
  (value) => {
    const text = readText(value, 255);
    return CODE.test(text) ? text : unfit('must be 1 to 40 letters, digits, _ or -');
  },
  { type: 'string', pattern: CODE.source },
);
const objectField = fields.choice(...customizedObjects);
const MOST_CHOICES = 100;
const choices = fields.list(fields.required(fields.reference), MOST_CHOICES);

const newCustomField = object(
  {
    id: fields.required(code),
    object: fields.required(objectField),
    name: fields.required(fields.name),
    type: fields.withDefault(fields.choice(...customFieldTypes), 'string'),
    choices,
    external: fields.withDefault(fields.boolean, false),
  },
  { readOnly },
);

const customFieldChange = object(
  { name: fields.kept(fields.name), choices, external: fields.resettable(fields.boolean, false) },
  { readOnly, fixed: ['id', 'object', 'type'] },
);

const customFields: Resource<CustomField, 'code'> = {
  name: 'Custom field',
  area: 'catalog',
  shape: customField,
  row: CustomField,
  idColumn: 'code',
  columns: {
    id: column('code', code),
    object: filtered('object', objectField),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentCustomField),
};

const ofObject = fields.described(
  objectField,
  'Kind of objects that have the field; needed if fields of several have this id',
  'customer',
);

/** A route of one field, whose id may also be that of fields of other objects. */
function withObject(route: Route): Route {
  return { ...route, parameters: { ...route.parameters, object: { schema: schemaOf(ofObject) } } };
}

function keyIn(request: ApiRequest): CustomFieldKey {
  const text = request.query.get('object') ?? '';
  const object = text === '' ? null : readParameter(ofObject, text, 'object');
  return { accountId: request.caller.account.id, code: pathCode(request, customFields.name), object };
}

const path = '/custom_fields';
const present = presentCustomField;

export const customFieldRoutes: Route[] = writtenForAll(
  createRoute({
    path,
    resource: customFields,
    summary: 'Create a custom field; values that objects have are not checked',
    body: newCustomField,
    present,
    example: {
      id: 'cost_centre',
      object: 'customer',
      name: 'Cost centre',
      type: 'enum',
      choices: ['Sales', 'Service'],
      external: true,
    },
    command: (em, { caller, body }, now) => {
      const { id: code, object, name, type, choices, external: isExternal } = body;
      const fields = { code, object, name, type, choices: choices ?? [], isExternal };
      return createCustomField(em, { caller, fields }, now);
    },
  }),
  listRoute({ path, resource: customFields, summary: 'List custom fields' }),
  withObject(
    readRoute({
      path,
      resource: customFields,
      summary: 'Read a custom field',
      handle: async (request) => reply(200, present(await findCustomField(request.em, keyIn(request)))),
    }),
  ),
  withObject(
    updateRoute({
      path,
      resource: customFields,
      summary: 'Change a custom field: name, choices or whether documents show it',
      present,
      body: customFieldChange,
      example: { choices: ['Sales', 'Service', 'Research'] },
      command: (em, { body, request }, now) => {
        const { name, choices, external: isExternal } = body;
        const fields = { name, choices: choices === null ? [] : choices, isExternal };
        return updateCustomField(em, { ...keyIn(request), fields }, now);
      },
    }),
  ),
  withObject(
    deleteRoute({
      path,
      resource: customFields,
      summary: 'Delete a custom field; values that objects have stay in their metadata',
      command: (em, { request }) => deleteCustomField(em, keyIn(request)),
    }),
  ),
);
