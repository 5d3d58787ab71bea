import { addColumn, type Declared } from './changes.ts';

/** Effects of the migrations of tags of objects and of acts on many objects. */
export const declaredOfActs = {
  '0350_answer_tags': {
    creates: '',
    changes: [addColumn('idempotency', 'etag')],
    unusedSince: null,
  },
} satisfies Record<string, Declared>;
