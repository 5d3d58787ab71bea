import { LateFeeSchedule } from '../../../db/schema/lateFeeSchedule.ts';
import { presentLateFeeSchedule } from '../../../present/catalog/lateFeeSchedule.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { lateFeeSchedule } from './shape.ts';

export const lateFeeSchedules: Resource<LateFeeSchedule, 'id'> = {
  name: 'Late fee schedule',
  shape: lateFeeSchedule,
  row: LateFeeSchedule,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentLateFeeSchedule),
};
