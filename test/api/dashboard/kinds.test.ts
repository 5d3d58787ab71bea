import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kinds } from '../../../dashboard/kinds/all.ts';
import type { Asked, Field } from '../../../dashboard/kinds/kind.ts';
import { type Operator, parameterOf, queryOf } from '../../../dashboard/lists/state.ts';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const operators: Readonly<Record<Asked, readonly (Operator | null)[]>> = {
  equal: [null],
  range: ['gte', 'lte'],
  set: ['in'],
  contains: ['contains'],
  empty: ['empty'],
};

/** A value that a filter of a field takes. */
function sampleOf(field: Field, operator: Operator | null): string {
  if (operator === 'empty' || field.form === 'flag') return 'true';
  if (operator === 'contains') return 'acme';
  if (field.form === 'currency') return 'usd';
  const choices: Readonly<Record<string, string>> = {
    customerType: 'person',
    taskAction: 'phone',
    interval: 'month',
    pricingMode: 'tiered',
    method: 'check',
    emailState: 'sent',
    disputeStatus: 'open',
    subscriptionStatus: 'active',
    creditNoteStatus: 'open',
  };
  if (field.choices) return choices[field.choices] ?? 'draft';
  if (field.name === 'type') return field.label === 'type' ? 'invoice.paid' : 'x';
  if (field.name === 'country') return 'US';
  return '1';
}

test.each(kinds.map((kind) => [kind.list, kind] as const))(
  'the list of %s takes what the dashboard asks of it',
  async (list, kind) => {
    const asked = [
      queryOf(kind, {}),
      ...kind.fields.flatMap(({ sort }) => (sort ? [{ sort: `${sort} asc` }, { sort: `${sort} desc` }] : [])),
      ...kind.fields.flatMap((field) =>
        field.asked.flatMap((one) =>
          operators[one].map((operator) => ({ [parameterOf(field.name, operator)]: sampleOf(field, operator) })),
        ),
      ),
      ...(kind.searchable ? [{ search: 'acme' }] : []),
    ];
    const refused: unknown[] = [];
    for (const query of asked) {
      const answer = await api.sandbox.get(`/${list}?${new URLSearchParams(query)}`);
      if (answer.status !== 200) refused.push([query, answer.status, answer.body.message]);
    }
    expect(refused).toEqual([]);
  },
);

test.each(kinds.flatMap((kind) => kind.related.map((related) => [kind.object, related.list, related] as const)))(
  'the page of a %s asks for its %s as the API takes it',
  async (_, list, { query }) => {
    const answer = await api.sandbox.get(`/${list}?${new URLSearchParams(query('1', { charge: 1 }))}`);
    expect([answer.status, answer.body]).toEqual([200, []]);
  },
);
