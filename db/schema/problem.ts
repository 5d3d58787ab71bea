import { defineEntity, p } from '@mikro-orm/core';
import { processTables } from '../../billing/processes.ts';
import { named, policiesByType } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';

const LIVE = 'closed_at is null';

/** SQL: what is unique among open problems, as an index and as a conflict target. */
export const OPEN_ONCE = `("account_id", "subject_type", "subject_id", (case when subject_type = 'customer' then step || ' ' || currency else '' end)) where ${LIVE}`;

const ProblemSchema = defineEntity({
  name: 'Problem',
  policies: policiesByType('problem', {
    type: 'subject_type',
    id: 'subject_id',
    tables: { ...processTables, ...named(['customer', 'task', 'suppression']) },
  }),
  comment: 'A process step that was refused, failed or is overdue; closes itself when solved',
  properties: {
    ...tenantKey,
    subjectType: p.string().length(32),
    subjectId: p.integer(),
    /** Test clock of its customer, which the problem stops. */
    clockId: p.integer().nullable(),
    step: p.string().length(255),
    message: p.text(),
    /** For a problem with a PDF: the hash of the content that could not be printed, its first characters. */
    content: p.string().length(16).nullable(),
    moneyAtRisk: amount().nullable(),
    currency: p.string().length(3).nullable(),
    since: p.datetime(),
    tries: p.integer(),
    nextTryAt: p.datetime().nullable(),
    /** When the team of the account was told by mail; null: it was not. */
    toldAt: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
    updatedAt: p.datetime(),
  },
  indexes: [
    // A customer has one for each step and currency, another object has one.
    {
      name: 'problem_open_once',
      expression: `create unique index "problem_open_once" on "problem" ${OPEN_ONCE}`,
    },
    partialIndex('problem', 'problem_clock', ['account_id, clock_id', `${LIVE} and clock_id is not null`]),
    partialIndex('problem', 'problem_live', ['account_id, id', LIVE]),
    partialIndex('problem', 'problem_by_subject_type', ['account_id, subject_type, id', LIVE]),
    partialIndex('problem', 'problem_by_updated', ['account_id, updated_at, id', LIVE]),
    partialIndex('problem', 'problem_by_since', ['account_id, since, id', LIVE]),
  ],
});
export class Problem extends ProblemSchema.class {}
ProblemSchema.setClass(Problem);
