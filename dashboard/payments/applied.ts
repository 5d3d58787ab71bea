import { idIn, type Row } from '../kinds/kind.ts';
import { rowsIn } from '../objects/sums.ts';
import { digitsOf, type Formats, retypedNumber, sentNumber } from '../written.ts';

/** What an invoice gets of a payment. The amount is the text as it was typed, in the way of the language. */
export interface Part {
  /** Id of the invoice. */
  invoice: string;
  amount: string;
}

/** The value of the field `applied_to`. */
export interface Applied {
  applied: readonly Part[];
  /** What the payment has given to invoices already, in plain digits. */
  was: readonly Part[];
  /** Applications to other things than invoices, such as credit. They stay as they are. */
  kept: readonly Row[];
  /** Id of the customer whose invoices these are; empty: not known yet. */
  payer: string;
  /** Id of the customer whose invoices the payment has paid already. */
  owner: string;
}

export const NOTHING_APPLIED: Applied = { applied: [], was: [], kept: [], payer: '', owner: '' };

/** Amounts have up to four decimals. They are added as whole numbers of these. */
const SCALE = 4;

/** An amount in plain digits as a whole number of its smallest parts. Null: it is none. */
export function unitsOf(plain: string | null): bigint | null {
  const [, sign = '', whole, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain ?? '') ?? [];
  if (whole === undefined || part.length > SCALE) return null;
  return BigInt(`${sign}${whole}${part.padEnd(SCALE, '0')}`);
}

/** A whole number of smallest parts in plain digits, with the decimals that it needs. */
export function plainOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, '0');
  const part = digits.slice(-SCALE).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -SCALE)}${part === '' ? '' : `.${part}`}`;
}

export const numberOf = (units: bigint): number => Number(plainOf(units));

/** The amount of an application in plain digits. */
export const plainAmount = ({ amount }: Row): string => (typeof amount === 'number' ? digitsOf(amount) : '0');

/** Fields of an application as a request takes it. */
const SENT = ['type', 'amount', 'invoice', 'estimate', 'credit_note', 'document_type'];

/** The applications of a payment, or none. */
export function appliedOf(row: Row | null, formats: Formats): Applied {
  const all = row === null ? [] : rowsIn(row, 'applied_to');
  const isMoney = ({ type }: Row) => type === 'invoice';
  const given = all.filter(isMoney).map((one) => ({ invoice: idIn(one.invoice), amount: plainAmount(one) }));
  const payer = idIn(row?.customer);
  const kept = all.filter((one) => !isMoney(one)).map(sentRow);
  const applied = asTyped(given, formats);
  // A payment that is only begun, such as for an invoice, has given nothing yet.
  return row?.id === undefined
    ? { ...NOTHING_APPLIED, applied, payer }
    : { applied, was: given, kept, payer, owner: payer };
}

const asTyped = (parts: readonly Part[], formats: Formats): Part[] =>
  parts.map(({ invoice, amount }) => ({ invoice, amount: formats.typedNumber(amount) }));

/** The value once a customer was chosen: another one has other invoices, and that of the payment has those that it paid. */
export function ofPayer(value: Applied, payer: string, formats: Formats): Applied {
  if (value.payer === payer) return value;
  const applied = payer === value.owner ? asTyped(value.was, formats) : value.payer === '' ? value.applied : [];
  return { ...value, applied, payer };
}

const sentRow = (row: Row): Row =>
  Object.fromEntries(
    SENT.flatMap((name) => {
      const value = row[name];
      if (value === null || value === undefined) return [];
      return [[name, typeof value === 'object' ? Number(idIn(value)) : value]];
    }),
  );

/** The applications as the API takes them. An amount that is no number is sent as it is, for the API to refuse. */
export const sentApplied = ({ applied, kept }: Applied, formats: Formats): object[] => [
  ...kept,
  ...filledIn(applied).map(({ invoice, amount }) => ({
    type: 'invoice',
    invoice: Number(invoice),
    amount: sentNumber(amount, formats),
  })),
];

const filledIn = (parts: readonly Part[]): Part[] => parts.filter(({ amount }) => amount.trim() !== '');

export const retypedApplied = ({ applied, ...others }: Applied, languages: readonly [Formats, Formats]): Applied => ({
  ...others,
  applied: applied.map((part) => ({ ...part, amount: retypedNumber(part.amount, languages) })),
});

/** The value with another amount for an invoice; empty: it gets nothing. */
export function withAmount(value: Applied, invoice: string, amount: string): Applied {
  const known = value.applied.some((one) => one.invoice === invoice);
  const changed = value.applied.map((one) => (one.invoice === invoice ? { invoice, amount } : one));
  return { ...value, applied: known ? changed : [...changed, { invoice, amount }] };
}

/** What is applied of a payment, as far as it can be read. */
export function sumOf({ applied, kept }: Applied, formats: Formats): bigint {
  const typed = applied.map(({ amount }) => unitsOf(formats.plainNumber(amount)) ?? 0n);
  return [...typed, ...kept.map((one) => unitsOf(plainAmount(one)) ?? 0n)].reduce((sum, one) => sum + one, 0n);
}

/** An invoice that money can be applied to. */
export interface Payable {
  id: string;
  /** What it owes in plain digits, without what the payment gives it. */
  open: string;
}

/** What an invoice can get of a payment: what it owes, and what the payment gives it already. */
export function mostOf({ id, open }: Payable, { was }: Applied): bigint {
  const given = was.find(({ invoice }) => invoice === id)?.amount ?? '0';
  return (unitsOf(open) ?? 0n) + (unitsOf(given) ?? 0n);
}

const smaller = (one: bigint, other: bigint): bigint => (one - other < 0n ? one : other);

/** The money of a payment given to these invoices in their order, as far as it goes. Others keep what they have. */
export function inOrder(
  invoices: readonly Payable[],
  value: Applied,
  { amount, formats }: { amount: bigint; formats: Formats },
): Applied {
  const others = value.applied.filter(({ invoice }) => !invoices.some(({ id }) => id === invoice));
  let rest = amount - sumOf({ ...value, applied: others }, formats);
  const applied = invoices.flatMap((one): Part[] => {
    const most = mostOf(one, value);
    const part = smaller(rest, most);
    if (part <= 0n) return [];
    rest -= part;
    return [{ invoice: one.id, amount: formats.typedNumber(plainOf(part)) }];
  });
  return { ...value, applied: [...others, ...applied] };
}

/** An application that pays all of an invoice, or what is left of the payment. */
export function inFull(
  one: Payable,
  value: Applied,
  { amount, formats }: { amount: bigint | null; formats: Formats },
): Applied {
  const others = withAmount(value, one.id, '');
  const rest = amount === null ? null : amount - sumOf(others, formats);
  const most = mostOf(one, value);
  const part = rest !== null && rest > 0n ? smaller(rest, most) : most;
  return withAmount(value, one.id, formats.typedNumber(plainOf(part)));
}

/** The value once the payment has another amount: an invoice that alone got all of it gets all of it again, as far as it owes that much. */
export function ofAmount(
  value: Applied,
  [before, amount]: readonly [bigint, bigint],
  { invoices, formats }: { invoices: readonly Payable[]; formats: Formats },
): Applied {
  const [only, ...others] = filledIn(value.applied);
  const one = invoices.find(({ id }) => id === only?.invoice);
  if (!only || !one || others.length > 0 || sumOf(value, formats) !== before) return value;
  return inFull(one, value, { amount, formats });
}
