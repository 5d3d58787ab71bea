import { condition } from '../../../db/queries/condition.ts';
import { Problem } from '../../../db/schema/problem.ts';
import { presentProblem } from '../../../present/problem.ts';
import * as fields from '../../fields.ts';
import { column, filtered, type Resource, sorted } from '../../resource.ts';

export const problems: Resource<Problem> = {
  name: 'Problem',
  row: Problem,
  idColumn: 'id',
  exists: condition('closed_at is null'),
  columns: {
    id: column('id', fields.id),
    object: filtered('subject_type', fields.text()),
    since: sorted('since'),
    tries: sorted('tries'),
  },
  present: async (_reading, rows) => rows.map(presentProblem),
};
