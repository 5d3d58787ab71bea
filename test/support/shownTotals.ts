import { add, compare, negate, subtract } from '../../billing/money/money.ts';
import { labelsOf } from '../../words/labels/words.ts';

/** Amounts as readers see them on pages, mails and papers, read back from what was rendered. */

/** A shown label with its amount as decimal text; null: it has none. */
export interface ShownRow {
  label: string;
  amount: string | null;
}

/** Marks of direction and spaces, which are no part of an amount. */
const INVISIBLE = /[\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\s\u00a0\u202f]/g;

/** Reads amounts of a language in a country and a currency. */
export function amountReader(locale: string, currency: string): (text: string) => string | null {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() });
  const { minimumFractionDigits: digits = 0 } = format.resolvedOptions();
  const parts = format.formatToParts(1_234_567.5);
  const sign = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? '';
  const own = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)].toReversed();
  const name = parts.find((part) => part.type === 'currency')?.value.replace(INVISIBLE, '') ?? '';
  return (text) => {
    const bare = text.replace(INVISIBLE, '');
    if (!bare.includes(name)) return null;
    const group = sign('group').replace(INVISIBLE, '');
    const plain = [...bare.replace(name, '')]
      .filter((one) => one !== group && one !== '+')
      .map((one) => {
        const digit = own.indexOf(one);
        if (digit >= 0) return String(digit);
        if (one === '\u2212') return '-';
        return one === sign('decimal') ? '.' : one;
      })
      .join('');
    const shape = digits === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${digits}}$`);
    return shape.test(plain) ? plain : null;
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text of HTML. */
export function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Rows of the lines and the sums of a document's page. */
export function rowsOfPage(html: string, read: (text: string) => string | null): ShownRow[] {
  const [, body = ''] = /<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html) ?? [];
  const lines = body.split('</tr>').flatMap((row): ShownRow[] => {
    const cells = [...row.matchAll(/<td [^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell);
    if (cells.length === 0) return [];
    const details = [...(cells[0] ?? '').matchAll(/<span class="detail">([\s\S]*?)<\/span>/g)].map(([, one = '']) =>
      textOf(one),
    );
    const off = details.map((detail) => ({ label: detail, amount: read(detail.slice(detail.lastIndexOf(':') + 1)) }));
    return [
      { label: textOf(cells[0] ?? ''), amount: read(textOf(cells.at(-1) ?? '')) },
      ...off.filter(({ amount }) => amount !== null),
    ];
  });
  const [, sums = ''] = /<dl class="sums">([\s\S]*?)<\/dl>/.exec(html) ?? [];
  return [...lines, ...rowsOfList(sums, read)];
}

/** Rows of a list of labels and values. */
export function rowsOfList(html: string, read: (text: string) => string | null): ShownRow[] {
  return [...html.matchAll(/<dt>([\s\S]*?)<\/dt><dd>([\s\S]*?)<\/dd>/g)].map(([, label = '', value = '']) => {
    return { label: textOf(label.replace(/<span[\s\S]*?<\/span>/g, '')), amount: read(textOf(value)) };
  });
}

/** Rows of the folded list of a pay page. */
export function rowsOfPayPage(html: string, read: (text: string) => string | null): ShownRow[] {
  const [, list = ''] = /<dl class="rows">([\s\S]*?)<\/dl>/.exec(html) ?? [];
  return rowsOfList(list, read);
}

/** Rows of the table of a mail. */
export function rowsOfMail(html: string, read: (text: string) => string | null): ShownRow[] {
  return [
    ...html.matchAll(/<tr><td class="(?:quiet|ink) rule"[^>]*>([\s\S]*?)<\/td><td [^>]*>([\s\S]*?)<\/td><\/tr>/g),
  ].map(([, label = '', value = '']) => ({ label: textOf(label), amount: read(textOf(value)) }));
}

/** What the rows of a document say about its total and what of it is due. */
export interface ReadTotals {
  total: string;
  /** Null: nothing is said about payments. */
  due: string | null;
}

/**
 * Adds the rows up as a reader does: the lines and their discounts are the subtotal; discounts and taxes lead from it to the total, payments
 * from the total to the balance. Throws at the first sum that is another one. Taxes that the prices contain follow the total with the net
 * amount, and change nothing.
 */
export function readTotals(
  rows: readonly ShownRow[],
  language: string,
  words: { ofWhich: RegExp; net: string },
): ReadTotals {
  const labels = labelsOf(language);
  const bare = (text: string) => text.replace(INVISIBLE, '');
  const is = (row: ShownRow, label: string) => bare(row.label) === bare(label);
  const amounts = rows.filter((row): row is ShownRow & { amount: string } => row.amount !== null);
  const at = amounts.findIndex((row) => is(row, labels.total));
  if (at < 0) throw new Error(`no total: ${JSON.stringify(rows)}`);
  const total = amounts[at]?.amount ?? '';
  const subtotal = amounts.findIndex((row, index) => index < at && is(row, labels.subtotal));
  const sumOf = (some: typeof amounts) => add('0', ...some.map(({ amount }) => amount));
  const expectSum = (what: string, shown: string, computed: string) => {
    if (compare(shown, computed) !== 0)
      throw new Error(`${what} is ${shown}, but its rows come to ${computed}: ${JSON.stringify(rows)}`);
  };
  const lines = amounts.slice(0, subtotal < 0 ? at : subtotal);
  if (subtotal < 0) expectSum('total', total, sumOf(lines));
  else {
    const shown = amounts[subtotal]?.amount ?? '';
    expectSum('subtotal', shown, sumOf(lines));
    expectSum('total', total, add(shown, sumOf(amounts.slice(subtotal + 1, at))));
  }
  const after = amounts.slice(at + 1);
  const inside = after.filter((row) => words.ofWhich.test(bare(row.label)));
  const net = after.find((row) => is(row, words.net));
  const onTop = subtotal < 0 ? [] : amounts.slice(subtotal + 1, at).filter(({ amount }) => !amount.startsWith('-'));
  if (net) expectSum('net', net.amount, subtract(total, add('0', sumOf(inside), sumOf(onTop))));
  const rest = after.filter((row) => row !== net && !inside.includes(row));
  const due = rest.find((row) => is(row, labels.amountDue));
  if (!due) return { total, due: null };
  const paid = rest.slice(0, rest.indexOf(due));
  const balance = paid.find((row) => is(row, labels.balance));
  const parts = paid.filter((row) => row !== balance);
  for (const { label, amount } of parts)
    if (compare(negate(amount), '0') < 0) throw new Error(`the part ${label} is not taken off: ${amount}`);
  expectSum('balance', balance?.amount ?? due.amount, add(total, sumOf(parts)));
  if (balance && compare(due.amount, balance.amount) > 0) throw new Error(`due is ${due.amount} of ${balance.amount}`);
  return { total, due: due.amount };
}
