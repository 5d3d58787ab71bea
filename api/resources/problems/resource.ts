import { condition } from '../../../db/queries/kernel/condition.ts';
import { Problem } from '../../../db/schema/problem.ts';
import { presentProblem } from '../../../present/processes/problem.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { problem } from './shape.ts';

const ofType = fields.described(fields.text(), 'Type of the object that has the problem', 'subscription');

export const problems: Resource<Problem, 'id'> = {
  name: 'Problem',
  shape: problem,
  row: Problem,
  idColumn: 'id',
  exists: condition('closed_at is null'),
  columns: {
    id: column('id', fields.id),
    object: filtered('subject_type', ofType),
    since: sorted('since'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentProblem),
};
