import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Adjustment } from '../../../dashboard/documents/adjustments.ts';
import { linesOf } from '../../../dashboard/documents/lines.ts';
import { bodyOf, type FormField, type Values, valuesOf } from '../../../dashboard/forms/field.ts';
import { sumsOf } from '../../../dashboard/objects/sums.ts';
import { digitsOf, type Formats, formatsOf } from '../../../dashboard/written.ts';
import { en } from '../../../words/dashboard/en.ts';
import { type Answer, startApi, successBody, type TestApi } from '../../support/api.ts';
import { withoutIdentity } from '../../support/dryRuns.ts';
import { randomOf } from '../../support/random.ts';
import {
  createShownCatalog,
  languagesOfReaders,
  type ShownCatalog,
  shownContent,
} from '../../support/shownDocuments.ts';

/**
 * Documents that are typed into the editor, in the numbers of each language. The totals that it shows are those of the dry run. They equal
 * those of the issued document, and those of a document that is made without the editor.
 */

const DOCUMENTS = 500;

let api: TestApi;
let catalog: ShownCatalog;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  catalog = await createShownCatalog(api.sandbox);
  customer = (await api.sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
});
afterAll(() => api.close());

/** The fields of the editor that decide what a document comes to. */
const fields: FormField[] = [
  { name: 'customer', label: '', kind: 'reference' },
  { name: 'currency', label: '', kind: 'choice' },
  { name: 'items', label: '', kind: 'lines' },
  { name: 'discounts', label: '', kind: 'coupon' },
  { name: 'taxes', label: '', kind: 'tax_rate' },
];

type Content = ReturnType<typeof shownContent>;

/** Digits as a person types them: with signs between thousands, or without, where these could be decimals. */
function typed(value: number, formats: Formats): string {
  const grouped = formats.number(value);
  return formats.plainNumber(grouped) === null ? formats.typedNumber(digitsOf(value)) : grouped;
}

/** Discounts or taxes as they are chosen from the catalog, and amounts of their own as they are typed. */
const chosen = (all: readonly (string | { amount: number })[], formats: Formats): Adjustment[] =>
  all.map((one) =>
    typeof one === 'string'
      ? { id: '', code: one, name: one, amount: '' }
      : { id: '', code: '', name: '', amount: typed(one.amount, formats) },
  );

/** What stands in the fields once a document is typed. */
function enteredOf({ currency, items, discounts, taxes }: Content, formats: Formats): Values {
  const lines = items.flatMap((item) =>
    linesOf({ items: [{ ...item, discounts: [], taxes: [] }] }, formats).lines.map((line) => ({
      ...line,
      quantity: typed(item.quantity, formats),
      unitCost: typed(item.unit_cost, formats),
      discounts: chosen(item.discounts, formats),
      taxes: chosen(item.taxes, formats),
    })),
  );
  return {
    customer: String(customer),
    currency,
    items: { lines },
    discounts: { adjustments: chosen(discounts, formats) },
    taxes: { adjustments: chosen(taxes, formats) },
  };
}

/** What the editor shows below the lines. */
const shown = (document: Answer['body']) => sumsOf(document, en.fields);

const foresee = async (path: string, body: object): Promise<Answer['body']> => {
  const way = path === '/invoices' ? api.sandbox.post : api.sandbox.patch;
  return successBody(await way.call(api.sandbox, `${path}?dry_run=true`, body)).invoice;
};

test.each(languagesOfReaders)(
  `a part of ${DOCUMENTS} random invoices is typed in %s and issued as its dry run shows it, to the cent`,
  async (language) => {
    const formats = formatsOf({ language, zone: 'UTC' });
    const first = languagesOfReaders.indexOf(language);
    for (let seed = 1000 + first; seed < 1000 + DOCUMENTS; seed += languagesOfReaders.length) {
      const content = shownContent(catalog, randomOf(seed));
      const body = bodyOf(fields, { base: null, values: enteredOf(content, formats), formats });
      const foreseen = await foresee('/invoices', body);
      const issued = await api.sandbox.make('/invoices', body);
      expect([seed, withoutIdentity(foreseen)]).toEqual([seed, withoutIdentity(issued)]);
      expect([seed, shown(foreseen)]).toEqual([seed, shown(issued)]);
      const direct = await foresee('/invoices', { customer, ...content });
      expect([seed, shown(foreseen)]).toEqual([seed, shown(direct)]);
    }
  },
);

test.each(languagesOfReaders)(
  'drafts are opened in the editor in %s, changed, and issued as their dry runs show them',
  async (language) => {
    const formats = formatsOf({ language, zone: 'UTC' });
    for (let seed = 3000; seed < 3012; seed += 1) {
      const content = shownContent(catalog, randomOf(seed));
      const draft = await api.sandbox.make('/invoices', { customer, draft: true, ...content });
      const base = valuesOf(fields, draft, formats);
      const [line, ...others] = linesOf(draft, formats).lines;
      // Nothing is sent as long as nothing is typed.
      expect(bodyOf(fields, { base, values: base, formats })).toEqual({});
      const lines = line ? [{ ...line, quantity: typed(1234.5, formats) }, ...others] : others;
      const values: Values = { ...base, items: { lines }, discounts: { adjustments: [] } };
      const body = { ...bodyOf(fields, { base, values, formats }), draft: false };
      const foreseen = await foresee(`/invoices/${draft.id}`, body);
      const issued = successBody(await api.sandbox.patch(`/invoices/${draft.id}`, body));
      expect([seed, withoutIdentity(foreseen)]).toEqual([seed, withoutIdentity(issued)]);
      const [changed, ...kept] = content.items;
      const items = changed ? [{ ...changed, quantity: 1234.5 }, ...kept] : kept;
      const direct = await foresee('/invoices', { customer, ...content, items, discounts: [] });
      expect([seed, shown(issued)]).toEqual([seed, shown(direct)]);
    }
  },
);
