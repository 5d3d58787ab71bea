import { defineEntity, p } from '@mikro-orm/core';
import type { SavedColumn, SavedList, SavedQuery } from '../../billing/savedViews.ts';
import { ofMemberPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

const SavedViewSchema = defineEntity({
  name: 'SavedView',
  policies: ofMemberPolicies,
  comment: 'A list with its filters, order and columns as a member wants to find it again; belongs to the account',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    list: p.string().length(32).$type<SavedList>(),
    query: p.json().$type<SavedQuery>(),
    columns: p.json().$type<SavedColumn[]>(),
    /** Whether every member sees it. */
    shared: p.boolean(),
    /** The member who made it, of the live account; null: a key of the account. */
    memberId: p.integer().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'saved_view_by_list', properties: ['accountId', 'list', 'id'] },
    { name: 'saved_view_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'saved_view_by_member', properties: ['accountId', 'memberId', 'list', 'id'] },
    { name: 'saved_view_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'saved_view_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [{ name: 'saved_view_seen', expression: 'shared or member_id is not null' }],
});
export class SavedView extends SavedViewSchema.class {}
SavedViewSchema.setClass(SavedView);
