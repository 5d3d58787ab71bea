import { addColumn, addReference, type Declared } from './changes.ts';

/** Effects of the migrations of tags of objects and of acts on many objects. */
export const declaredOfActs = {
  '0350_answer_tags': {
    creates: '',
    changes: [addColumn('idempotency', 'etag')],
    unusedSince: null,
  },
  '0351_job_rows': {
    creates: 'table job_row',
    changes: [addReference('job', 'job_row'), addColumn('job', 'refused_count')],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
