import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/resources/routes.ts';
import { kinds } from '../../../dashboard/kinds/all.ts';
import { customizedOf, kindWith } from '../../../dashboard/kinds/custom.ts';
import type { Asked, Field } from '../../../dashboard/kinds/kind.ts';
import { type Operator, parameterOf, presetSearch, queryOf } from '../../../dashboard/lists/state.ts';
import { choices } from '../../../words/dashboard/choices/en.ts';
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
    paymentFailure: 'expired',
    promise: 'broken',
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
      ...(kind.presets ?? []).map((preset) => queryOf(kind, presetSearch(preset, {}))),
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
    const row = { id: 1, charge: 1, applied_to: [{ type: 'invoice', invoice: 1 }] };
    expect(query('1', row)).not.toBeNull();
    const answer = await api.sandbox.get(`/${list}?${new URLSearchParams(query('1', row) ?? {})}`);
    expect([answer.status, answer.body]).toEqual([200, []]);
  },
);

test.each(Object.keys(choices.relativeDays))('lists of the API take the days that are named %s', async (name) => {
  const answer = await api.sandbox.get(`/invoices?filter[date][within]=${name}`);
  expect([answer.status, answer.body]).toEqual([200, []]);
});

test('a list is shown to whom the API lets read it', () => {
  const needed = kinds.map(({ list }) => [
    list,
    routes.find(({ method, path }) => method === 'GET' && path === `/${list}`)?.permission,
  ]);
  expect(kinds.map(({ list, area }) => [list, `${area}.read`])).toEqual(needed);
});

const custom = kinds.filter(({ object }) => customizedOf(object) !== null);

test('lists take custom fields of every type as filters and as columns of CSV and views', async () => {
  const values = {
    string: 'a b',
    boolean: 'true',
    integer: '7',
    double: '1.5',
    money: '12.50',
    date: '2027-03-31',
    enum: 'Retail',
  } as const;
  const refused: unknown[] = [];
  const ask = async (path: string) => {
    const { status, body } = await api.sandbox.get(path);
    if (status !== 200) refused.push([path, status, body.message]);
  };
  for (const base of custom) {
    for (const type of Object.keys(values))
      await api.sandbox.make('/custom_fields', {
        object: base.object,
        id: `of_${type}`,
        name: `Of ${type}`,
        type,
        ...(type === 'enum' ? { choices: ['Retail', 'Trade'] } : {}),
      });
    const { body: read } = await api.sandbox.get(`/custom_fields?filter[object]=${base.object}`);
    const kind = kindWith(base, { custom: read, currency: 'eur' });
    const fields = kind.fields.slice(base.fields.length);
    const names = fields.map(({ name }) => name);
    expect(fields).toHaveLength(7);
    for (const [type, value] of Object.entries(values)) {
      const name = `custom_fields.of_${type}`;
      await ask(`/${kind.list}?${new URLSearchParams({ [parameterOf(name, null)]: value })}`);
    }
    await ask(`/${kind.list}?${new URLSearchParams({ [parameterOf('custom_fields.of_enum', 'in')]: 'Retail,Trade' })}`);
    await ask(`/${kind.list}?format=csv&columns=${names.join()}`);
    const columns = names.map((name) => ({ name, width: null }));
    const query = { [parameterOf('custom_fields.of_enum', null)]: 'Retail' };
    await api.sandbox.make('/saved_views', { name: 'Own', list: kind.list, columns, query });
  }
  expect(refused).toEqual([]);
});
