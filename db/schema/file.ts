import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

const FileSchema = defineEntity({
  name: 'File',
  policies: tenantPolicies,
  comment: 'A file: bytes in the file store, or a link to where somebody else keeps it',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    /** Size in bytes; null for a link of unknown size. */
    size: p.integer().nullable(),
    /** MIME type. */
    type: p.string().length(255).nullable(),
    /** URL of a link. */
    url: p.string().length(2048).nullable(),
    /** For stored bytes: their key in the store, and the secret part of their URL, which nobody can guess. */
    storeKey: p.string().length(255).nullable(),
    token: p.string().length(64).nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'file_token', properties: ['accountId', 'token'] }],
  indexes: [
    { name: 'file_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'file_by_type', properties: ['accountId', 'type', 'id'] },
    { name: 'file_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'file_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    { name: 'file_somewhere', expression: '(url is null) = (store_key is not null and token is not null)' },
    { name: 'file_size', expression: 'size >= 0' },
  ],
});
export class File extends FileSchema.class {}
FileSchema.setClass(File);
