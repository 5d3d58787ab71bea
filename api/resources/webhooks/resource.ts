import { condition } from '../../../db/queries/kernel/condition.ts';
import { Webhook } from '../../../db/schema/webhook.ts';
import { presentWebhook } from '../../../present/webhooks/webhook.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { webhook } from './shape.ts';

export const webhooks: Resource<Webhook, 'id'> = {
  name: 'Webhook',
  shape: webhook,
  row: Webhook,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    enabled: filtered('enabled', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentWebhook),
};
