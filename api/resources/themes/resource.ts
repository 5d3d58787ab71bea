import { accountAccent } from '../../../db/queries/catalog/themes.ts';
import { Theme } from '../../../db/schema/theme.ts';
import { presentTheme } from '../../../present/catalog/theme.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { files } from '../files/resource.ts';
import { theme } from './shape.ts';

export const themes: Resource<Theme, 'id'> = {
  name: 'Theme',
  shape: theme,
  row: Theme,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (reading, rows) => {
    const accent = await accountAccent(reading);
    return rows.map((row) => presentTheme(row, accent));
  },
  relations: {
    logo: relation(
      () => files,
      (row) => row.logoFileId ?? null,
    ),
  },
};
