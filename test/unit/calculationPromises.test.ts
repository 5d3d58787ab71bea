import { expect, test } from '@jest/globals';
import { checkTiers, planLines, type Tier } from '../../billing/documents/pricing.ts';
import {
  type DiscountTerm,
  documentTotals,
  type Priced,
  type PricedLine,
  type TaxTerm,
} from '../../billing/documents/totals.ts';
import { cell, type PromiseRow, promisesOf } from '../support/promises.ts';

const promises = promisesOf('calculation.md');
const rowsWith = (head: string) => promises.filter((row) => head in row);

/** The parts of a cell between semicolons. Empty for an empty cell. */
const parts = (text: string | undefined) =>
  (text ?? '').split(';').flatMap((part) => (part.trim() ? [part.trim()] : []));

/** The groups of a text that must match `form`. */
function read(text: string, form: RegExp): string[] {
  const found = form.exec(text);
  if (!found) throw new Error(`not understood: ${text}`);
  return found.slice(1).map((group) => group ?? '');
}

/** Parses "10 %" or "5". */
function discount(text: string): DiscountTerm {
  const [value = '', percent] = read(text, /^(\d[\d.]*)( %)?$/);
  return { value, isPercent: percent !== '' };
}

/** Parses "20 %", "20 % incl", "flat 2.50" or "flat 2.50 incl". */
function tax(text: string): TaxTerm {
  const [flat, value = '', , inclusive] = read(text, /^(?:(flat )(?=[\d.]+(?: incl)?$))?(\d[\d.]*)( %)?( incl)?$/);
  return { key: text, value, isPercent: flat === '', inclusive: inclusive !== '' };
}

/** Parses "2 x 19.99 - 10 % + 7 % not discountable". */
function line(text: string): PricedLine {
  const [quantity = '', unitCost = '', rest = ''] = read(text, /^(\S+) x (-?[\d.]+)(.*)$/);
  const flags = read(rest, /^.*?( not discountable)?( not taxable)?$/);
  const terms = rest.replace(/ not \w+/g, '').matchAll(/ ([-+]) ((?:(?! [-+] ).)+)/g);
  const own = [...terms].map(([, sign, term]) => ({ sign, term: term ?? '' }));
  expect(own.map(({ sign, term }) => ` ${sign} ${term}`).join('')).toBe(rest.replace(/ not \w+/g, ''));
  return {
    quantity,
    unitCost,
    discountable: flags[0] === '',
    taxable: flags[1] === '',
    discounts: own.flatMap(({ sign, term }) => (sign === '-' ? [discount(term)] : [])),
    taxes: own.flatMap(({ sign, term }) => (sign === '+' ? [tax(term)] : [])),
  };
}

function documentOf(row: PromiseRow): Priced {
  const lines = parts(row.lines).map(line);
  const document = { lines, discounts: parts(row.discounts).map(discount), taxes: parts(row.taxes).map(tax) };
  return { ...document, currency: cell(row, 'in'), mayBeNegative: true };
}

/** Parses "to 10: 5", "above: 3", "1 to 10: 5" or "11 to: 4". */
function tier(text: string): Tier {
  const [from, to, unitCost = ''] = read(text, /^(?:(\d[\d.]*) )?(?:to ?|above)(\d[\d.]*)?: (\S+)$/);
  return { minQuantity: from || null, maxQuantity: to || null, unitCost };
}

test('the page has its tables, and no row of one that nothing here executes', () => {
  const known = ['= total', 'nets', 'billed', 'refused'];
  expect(promises.filter((row) => known.filter((head) => head in row).length !== 1)).toEqual([]);
  expect(known.map((head) => rowsWith(head).length >= 6)).toEqual(known.map(() => true));
  expect(rowsWith('= total').length).toBeGreaterThan(30);
});

test.each(rowsWith('= total'))('$lines, discounts $discounts, taxes $taxes in $in: $because', (row) => {
  const { subtotal, discountTotal, taxTotal, total } = documentTotals(documentOf(row));
  expect({ subtotal, '- discounts': discountTotal, '+ taxes': taxTotal, '= total': total }).toEqual({
    subtotal: row.subtotal,
    '- discounts': row['- discounts'],
    '+ taxes': row['+ taxes'],
    '= total': row['= total'],
  });
});

test.each(rowsWith('nets'))('each line of $lines, discounts $discounts, taxes $taxes in $in: $because', (row) => {
  const { lines, discounts, taxes } = documentTotals(documentOf(row));
  const shown = {
    nets: lines.map((one) => one.net),
    discounts: [...lines.flatMap((one) => one.discounts), ...discounts],
    taxes: [...lines.flatMap((one) => one.taxes), ...taxes],
  };
  expect(shown).toEqual({
    nets: parts(row.nets),
    discounts: parts(row['shown as discounts']),
    taxes: parts(row['shown as taxes']),
  });
});

test.each(rowsWith('billed'))('$quantity of a $mode plan of $tiers: $because', (row) => {
  const mode = cell(row, 'mode') === 'volume' ? 'volume' : 'tiered';
  const tiers = checkTiers(parts(row.tiers).map(tier));
  const billed = planLines({ mode, amount: null, tiers }, cell(row, 'quantity'));
  expect(billed.map(({ quantity, unitCost }) => `${quantity} x ${unitCost}`)).toEqual(parts(row.billed));
  const lines = parts(row.billed).map(line);
  expect(documentTotals({ lines, discounts: [], taxes: [], currency: 'usd' }).total).toBe(row.total);
});

test.each(rowsWith('refused'))('$param is refused of $refused: $because', (row) => {
  expect(() => checkTiers(parts(row.refused).map(tier))).toThrow(
    expect.objectContaining({ name: 'Refusal', param: row.param }),
  );
});
