import { File } from '../../../db/schema/file.ts';
import { presentFile } from '../../../present/files/file.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { file } from './shape.ts';

export const files: Resource<File, 'id'> = {
  name: 'File',
  shape: file,
  row: File,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    type: column('type', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentFile),
};
