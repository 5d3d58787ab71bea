import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { useWatch } from 'react-hook-form';
import type { Client } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { type Entered, type FormField, keyOf } from '../forms/field.ts';
import { Lookup } from '../forms/lookup.tsx';
import { invoiceFinder } from '../forms/options.ts';
import { UNPAID } from '../kinds/documents.ts';
import { idIn, type Row, textOf } from '../kinds/kind.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useWords } from '../words.ts';
import { digitsOf } from '../written.ts';
import {
  type Applied,
  inFull,
  inOrder,
  mostOf,
  NOTHING_APPLIED,
  numberOf,
  ofAmount,
  ofPayer,
  type Payable,
  plainAmount,
  sumOf,
  unitsOf,
  withAmount,
} from './applied.ts';
import { useReceivingWords } from './words.ts';
import '../styles/payments.css';

interface Shown {
  field: FormField;
  value: Entered;
  change(value: Entered): void;
  attributes: { id: string; 'aria-describedby': string | undefined };
}

/** How many open invoices of a customer are shown. Others can be added one by one. */
const MOST_SHOWN = 100;

/** The payment as far as it is known: from the fields of the form, or from the object. */
function useAbout({ about }: FormField, value: Applied) {
  const [customer, amount, currency] = useWatch({ name: ['customer', 'amount', 'currency'].map(keyOf) });
  const formats = useFormats();
  const payer = typeof customer === 'string' ? customer : idIn(about?.customer);
  const usual = useCurrencyOf(payer);
  return {
    customer: payer,
    currency: (typeof currency === 'string' && currency) || (about ? textOf(about, 'currency') : usual),
    amount: typeof amount === 'string' ? unitsOf(formats.plainNumber(amount)) : about ? moneyOf(about, value) : null,
  };
}

/** The money of a payment that invoices can have: what is not applied, and what is. Money that went back is neither. */
function moneyOf({ balance }: Row, { was, kept }: Applied): bigint {
  const rest = (typeof balance === 'number' ? unitsOf(digitsOf(balance)) : null) ?? 0n;
  const given = [...was.map(({ amount }) => amount), ...kept.map(plainAmount)];
  return given.reduce((sum, one) => sum + (unitsOf(one) ?? 0n), rest);
}

/** The currency of a customer; while it is not known, that of the account. */
function useCurrencyOf(customer: string): string {
  const { session, me } = useRouteContext({ from: '__root__' });
  const read = useQuery({
    queryKey: ['currency of a customer', customer],
    queryFn: async () => (await session.api.get('/customers/{id}', { id: Number(customer) })).currency,
    enabled: customer !== '',
  });
  return read.data ?? me.currency;
}

/** An invoice in the table. */
interface Open extends Payable {
  number: string;
  owner: string;
  due: number | null;
  date: number;
}

const shownOf = ({ id, number, name, balance, due_date: due, date, customer }: Row): Open => ({
  id: String(id),
  open: typeof balance === 'number' ? digitsOf(balance) : '0',
  number: String(number ?? name),
  owner: typeof customer === 'object' && customer !== null ? textOf({ ...customer }, 'name') : '',
  due: typeof due === 'number' ? due : null,
  date: typeof date === 'number' ? date : 0,
});

/** The oldest due date first, of several the oldest invoice. */
const byAge = (one: Open, other: Open): number =>
  (one.due ?? Number.MAX_SAFE_INTEGER) - (other.due ?? Number.MAX_SAFE_INTEGER) || one.date - other.date;

/** The open invoices of a customer, the oldest due date first. */
async function readOpen(api: Client, { customer, currency }: { customer: string; currency: string }): Promise<Open[]> {
  if (customer === '') return [];
  const query = { 'filter[customer]': customer, 'filter[currency]': currency, 'filter[balance][gt]': '0' };
  const open = { 'filter[status][in]': UNPAID, 'filter[closed]': 'false', sort: 'due_date asc', expand: 'customer' };
  const found = await api.get('/invoices', Object.assign({ per_page: MOST_SHOWN }, query, open));
  return found.map((one) => shownOf({ ...one })).toSorted(byAge);
}

/** These invoices, whatever they owe. */
async function readThese(api: Client, ids: readonly string[]): Promise<Open[]> {
  if (ids.length === 0) return [];
  const found = await api.get(
    '/invoices',
    Object.assign({ per_page: MOST_SHOWN, expand: 'customer' }, { 'filter[id][in]': ids.join(',') }),
  );
  return found.map((one) => shownOf({ ...one }));
}

/** The invoices that a payment pays, with what each gets. */
export function AppliedInput({ field, value: entered, change, attributes }: Shown) {
  const words = useReceivingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const formats = useFormats();
  const value: Applied = typeof entered === 'object' && 'applied' in entered ? entered : NOTHING_APPLIED;
  const { customer, currency, amount } = useAbout(field, value);
  useEffect(() => {
    if (value.payer !== customer) change(ofPayer(value, customer, formats));
  });
  const open = useQuery({
    queryKey: ['open invoices', customer, currency],
    queryFn: () => readOpen(session.api, { customer, currency }),
  });
  const shown = open.data ?? [];
  const others = value.applied.map(({ invoice }) => invoice).filter((id) => !shown.some((one) => one.id === id));
  const added = useQuery({
    queryKey: ['invoices of a payment', others],
    queryFn: () => readThese(session.api, others),
    placeholderData: (before) => before,
  });
  const rows = [...(added.data ?? []).filter(({ id }) => others.includes(id)), ...shown];
  const before = useRef(amount);
  useEffect(() => {
    const was = before.current;
    before.current = amount;
    if (was !== null && amount !== null && was !== amount)
      change(ofAmount(value, [was, amount], { invoices: rows, formats }));
  });
  const hasAmounts = value.applied.some((one) => one.amount !== '');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-labelledby={`${attributes.id}-label`} className="applied">
      {(open.error ?? added.error) && <ErrorNote error={open.error ?? added.error} />}
      {rows.length === 0 && open.isSuccess && (
        <p className="none">{customer === '' ? words.chooseCustomer : words.noneOpen}</p>
      )}
      {rows.length > 0 && (
        <div className="row">
          <Button
            className="secondary"
            isDisabled={amount === null}
            onPress={() => amount !== null && change(inOrder(rows, value, { amount, formats }))}
          >
            {words.oldestFirst}
          </Button>
          {hasAmounts && (
            <Button className="secondary" onPress={() => change({ ...value, applied: [] })}>
              {words.clear}
            </Button>
          )}
        </div>
      )}
      <Invoices rows={rows} value={value} change={change} amount={amount} currency={currency} />
      <Lookup
        field={{
          name: 'other invoice',
          label: words.otherInvoice,
          kind: 'reference',
          none: words.otherInvoice,
          finder: invoiceFinder,
        }}
        value=""
        change={(id) => typeof id === 'string' && id !== '' && change(withAmount(value, id, ''))}
        control={null}
        attributes={{ id: `${attributes.id}-other`, 'aria-describedby': undefined }}
      />
      <Sum value={value} amount={amount} currency={currency} />
    </div>
  );
}

interface Table {
  rows: readonly Open[];
  value: Applied;
  change(value: Applied): void;
  amount: bigint | null;
  currency: string;
}

function Invoices({ rows, value, change, amount, currency }: Table) {
  const words = useReceivingWords();
  const { fields } = useWords();
  const formats = useFormats();
  if (rows.length === 0) return null;
  const amountOf = (id: string) => value.applied.find(({ invoice }) => invoice === id)?.amount ?? '';
  return (
    <ul className="payables">
      {rows.map((one) => {
        const { id, number, owner, due, date } = one;
        const typed = amountOf(id);
        const isWrong = typed.trim() !== '' && formats.plainNumber(typed) === null;
        return (
          <li key={id}>
            <span className="what">
              <strong dir="auto">{number}</strong> <small dir="auto">{owner}</small>
              <small>
                {formats.day(date)}
                {due !== null && ` · ${fields.due_date}: ${formats.day(due)}`}
              </small>
            </span>
            <span className="figure">{formats.money(numberOf(mostOf(one, value)), currency)}</span>
            <input
              className="number"
              inputMode="decimal"
              autoComplete="off"
              aria-label={fill(words.amountOf, { number })}
              aria-invalid={isWrong}
              value={typed}
              onChange={({ target }) => change(withAmount(value, id, target.value))}
            />
            <Button
              className="secondary"
              aria-label={fill(words.wholeOf, { number })}
              onPress={() => change(inFull(one, value, { amount, formats }))}
            >
              {words.whole}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

/** What of the payment is applied, and what is left of it. */
function Sum({ value, amount, currency }: Pick<Table, 'value' | 'amount' | 'currency'>) {
  const words = useReceivingWords();
  const formats = useFormats();
  if (amount === null) return null;
  const applied = sumOf(value, formats);
  const rest = amount - applied;
  const money = (units: bigint) => formats.money(numberOf(units), currency);
  const kept = sumOf({ ...value, applied: [] }, formats);
  return (
    <p className="applied-sum" aria-live="polite">
      {fill(words.appliedSum, { applied: money(applied), amount: money(amount) })}
      {rest > 0n && <span> · {fill(words.rest, { rest: money(rest) })}</span>}
      {rest < 0n && <strong className="bad"> · {fill(words.excess, { excess: money(-rest) })}</strong>}
      {kept > 0n && <span> · {fill(words.kept, { amount: money(kept) })}</span>}
    </p>
  );
}
