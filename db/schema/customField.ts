import { defineEntity, p } from '@mikro-orm/core';
import {
  type CustomFieldType,
  type CustomizedObject,
  customFieldTypes,
  customizedObjects,
} from '../../billing/customFields.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';

const CustomFieldSchema = defineEntity({
  name: 'CustomField',
  policies: tenantPolicies,
  comment: 'A key in the metadata of a kind of objects, with the values that it may have',
  properties: {
    ...tenantKey,
    object: p.string().length(16).$type<CustomizedObject>(),
    /** The id that clients see: the key in metadata. */
    code: p.string().length(40),
    name: p.string().length(255),
    type: p.string().length(8).$type<CustomFieldType>(),
    /** The values of an enum, in order. */
    choices: p.array().columnType('text[]'),
    /** Whether documents show it to the customer. */
    isExternal: p.boolean(),
    ...timestamps,
  },
  uniques: [{ name: 'custom_field_code', properties: ['accountId', 'code', 'object'] }],
  indexes: [
    { name: 'custom_field_by_object', properties: ['accountId', 'object', 'id'] },
    { name: 'custom_field_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'custom_field_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'custom_field_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    oneOf('custom_field', 'object', customizedObjects),
    oneOf('custom_field', 'type', customFieldTypes),
    { name: 'custom_field_choices', expression: "(type = 'enum') = (choices <> '{}')" },
  ],
});
export class CustomField extends CustomFieldSchema.class {}
CustomFieldSchema.setClass(CustomField);
