import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressLines } from '../../words/address.ts';
import type { ChoiceWords } from '../../words/dashboard/naming.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { useCadences, useMemberName } from '../forms/options.ts';
import { kindOfList } from '../kinds/all.ts';
import { valueIn } from '../kinds/custom.ts';
import { type Field, type Kind, type Row, textOf } from '../kinds/kind.ts';
import { useCaringWords, useWords } from '../words.ts';
import { useNow } from './now.ts';
import { byCurrencyIn } from './rows.ts';

/** A value of an object, as lists and pages show it. */
export function Value({ field, row }: { field: Field; row: Row }): ReactNode {
  const words = useWords();
  const formats = useFormats();
  const value = valueIn(row, field);
  if (field.name === 'address') return <Address row={row} />;
  if (field.byCurrency) return <Owed field={field} balances={byCurrencyIn(row, field.byCurrency)} />;
  if (field.name === 'payment_failure' && typeof value === 'object' && value !== null)
    return <Failure failure={{ ...value }} />;
  if (value === null || value === undefined || value === '') return <span className="none">{words.empty}</span>;
  if (field.name === 'chasing_cadence') return <Cadence id={String(value)} />;
  switch (field.form) {
    case 'money': {
      if (typeof value !== 'number') return String(value);
      const amount = <Money amount={value} currency={currencyOf(row)} />;
      const isToApply = field.label === 'unapplied' && value !== 0;
      return isToApply ? <span className="status pending">{amount}</span> : amount;
    }
    case 'number':
      return typeof value === 'number' ? <span className="figure">{formats.number(value)}</span> : String(value);
    case 'flag':
      return value === true ? words.yes : words.no;
    case 'day':
      return typeof value === 'number' ? <Day row={row} field={field} value={value} /> : String(value);
    case 'time':
      return typeof value === 'number' ? formats.time(value) : String(value);
    case 'choice':
      return <Choice field={field} value={String(value)} />;
    case 'reference':
      return <Reference field={field} value={value} />;
    case 'member':
      return <Member id={String(value)} />;
    case 'currency':
      return String(value).toUpperCase();
    case 'link':
      return (
        <a href={String(value)} target="_blank" rel="noreferrer">
          {words.customerPage}
        </a>
      );
    default:
      return (
        <span dir="auto">{field.known ? knownText(words.choices, field.known, String(value)) : plain(value)}</span>
      );
  }
}

/** Whether an object is voided and has no status that says so. */
export const isVoided = (kind: Kind, row: Row): boolean => kind.status === undefined && row.voided === true;

/** The currency of the amounts of an object. */
export const currencyOf = (row: Row): string | null => textOf(row, 'currency') || planCurrency(row);

function planCurrency({ plan }: Row): string | null {
  return typeof plan === 'object' && plan !== null ? textOf({ ...plan }, 'currency') : null;
}

export function Money({ amount, currency }: { amount: number; currency: string | null }) {
  const formats = useFormats();
  return <span className="figure">{currency ? formats.money(amount, currency) : formats.number(amount)}</span>;
}

/** A word for a value out of a fixed set. Statuses have a color, too. */
export function Choice({ field, value }: { field: Field; value: string }) {
  const words = useWords();
  const text = choiceText(words.choices, field, value);
  return field.name === 'status' || field.name === 'state' ? <span className={`status ${value}`}>{text}</span> : text;
}

/** The word for a value of a field, or the value. */
export function choiceText(choices: ChoiceWords, field: Field, value: string): string {
  const words: Readonly<Record<string, string>> = field.choices ? { ...choices[field.choices] } : {};
  return words[value] ?? value;
}

/** The word for a text that the product itself gives, or the text. */
export function knownText(choices: ChoiceWords, known: keyof ChoiceWords, text: string): string {
  const words: Readonly<Record<string, string>> = { ...choices[known] };
  return words[text] ?? text;
}

/** That an automatic payment failed, when it is tried again, and why it failed. */
function Failure({ failure }: { failure: Row }) {
  const words = useWords();
  const formats = useFormats();
  const { next_attempt: next } = failure;
  const then = typeof next === 'number' ? fill(words.failedNext, { day: formats.day(next) }) : words.failedLast;
  return (
    <span className="failure">
      <span className="status past_due">{then}</span>{' '}
      <span dir="auto">{failureText(textOf(failure, 'code'), textOf(failure, 'message'), words.choices)}</span>
    </span>
  );
}

/** Why an automatic payment failed: the words of the gateway, where its reason has no code of its own. */
export function failureText(code: string, message: string | null, { paymentFailure }: ChoiceWords): string {
  const words: Readonly<Record<string, string>> = { ...paymentFailure };
  return (code === 'generic_decline' && message) || (words[code] ?? code);
}

function Reference({ field, value }: { field: Field; value: unknown }) {
  const { list, id, title } = referred(field, value, useWords().choices);
  if (list === undefined) return title;
  return (
    <Link to="/$list/$id" params={{ list, id }} dir="auto">
      {title}
    </Link>
  );
}

function referred(
  { to }: Field,
  value: unknown,
  choices: ChoiceWords,
): { list: string | undefined; id: string; title: string } {
  const kind = to && kindOfList(to);
  if (typeof value === 'object' && value !== null) {
    const row: Row = { ...value };
    return { list: to, id: textOf(row, 'id'), title: kind ? titleOf(kind, row, choices) : textOf(row, 'id') };
  }
  return { list: to, id: String(value), title: String(value) };
}

/** What a customer owes, what of it is overdue, or since when, in each currency: first that of the list. */
function Owed({ field, balances }: { field: Field; balances: readonly Row[] }) {
  const words = useWords();
  const formats = useFormats();
  const isOwn = (balance: Row) => textOf(balance, 'currency') === field.currency;
  const ordered = [...balances.filter(isOwn), ...balances.filter((one) => !isOwn(one))];
  const told = ordered.flatMap((balance): string[] => {
    const value = balance[field.name];
    if (typeof value !== 'number' || value === 0) return [];
    return [field.form === 'day' ? formats.day(value) : formats.money(value, textOf(balance, 'currency'))];
  });
  return <span className="figure">{told.join(' · ') || words.empty}</span>;
}

/** A day. That of an open task is marked once it has passed. */
function Day({ row, field, value }: { row: Row; field: Field; value: number }) {
  const formats = useFormats();
  const isOpenTask = field.name === 'due_date' && row.complete === false;
  return isOpenTask ? <DueDay row={row} value={value} /> : formats.day(value);
}

function DueDay({ row, value }: { row: Row; value: number }) {
  const words = useWords();
  const formats = useFormats();
  const { at: now } = useNow(row);
  const day = formats.day(value);
  if (now === null || value >= formats.startOf(formats.isoDay(now))) return day;
  return (
    <span className="status past_due" title={words.fields.overdue}>
      {day}
      <span className="hidden"> {words.fields.overdue}</span>
    </span>
  );
}

/** An address on one line, as its country orders its parts. */
function Address({ row }: { row: Row }) {
  const words = useWords();
  const { language } = useFormats();
  const country = textOf(row, 'country');
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const [address1, address2, city, state] = ['address1', 'address2', 'city', 'state'].map((name) => textOf(row, name));
  const address = { address1, address2, city, state, postalCode: textOf(row, 'postal_code'), country };
  const lines = addressLines(address, country === '' ? null : (names.of(country) ?? country));
  return <span dir="auto">{lines.join(', ') || words.empty}</span>;
}

/** A value that has no form of its own; of an object its name or number. */
function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { name, brand, bank_name, last4, id }: Row = { ...value };
  const source = [brand ?? bank_name, last4].filter((part) => typeof part === 'string').join(' ');
  return source || String(name ?? id ?? '');
}

/** A cadence by its name, for who may read cadences. */
function Cadence({ id }: { id: string }) {
  const name = useCadences().find((one) => one.id === id)?.name;
  return <span dir="auto">{name ?? id}</span>;
}

/** A member by its name. */
export const Member = ({ id }: { id: string }) => <span dir="auto">{useMemberName(id)}</span>;

/** The title of an object, or its id. */
export function titleOf(kind: Kind, row: Row, choices: ChoiceWords): string {
  const title = kind.title(row);
  return (kind.knownTitles ? knownText(choices, kind.knownTitles, title) : title) || textOf(row, 'id');
}

/** What is told beside the title of an object, such as that a customer is on hold. */
export function Marks({ kind, row }: { kind: Kind; row: Row }) {
  const { marks } = useCaringWords();
  return kind.marks?.(row).map((mark) => (
    <span key={mark} className={`status ${mark}`}>
      {marks[mark]}
    </span>
  ));
}
