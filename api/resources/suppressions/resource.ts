import { suppressionReasons } from '../../../billing/mailEvents.ts';
import { condition } from '../../../db/queries/kernel/condition.ts';
import { Suppression } from '../../../db/schema/suppression.ts';
import { presentSuppression } from '../../../present/mail/suppression.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { suppression } from './shape.ts';

export const suppressions: Resource<Suppression, 'id'> = {
  name: 'Suppression',
  shape: suppression,
  row: Suppression,
  idColumn: 'id',
  exists: condition('lifted_at is null'),
  columns: {
    id: column('id', fields.id),
    email: filtered('address', fields.text()),
    reason: filtered('reason', fields.choice(...suppressionReasons)),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentSuppression),
};
