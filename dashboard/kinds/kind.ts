import type { Answer, Client, Full } from '../../client/index.ts';
import type { CaringWords } from '../../words/caring/wording.ts';
import type { ChoiceWords, FieldLabels, PlaceWords } from '../../words/dashboard/naming.ts';
import type { PresetWords } from '../../words/overview/wording.ts';

/** An object as the API answers it. */
export type Row = Readonly<Record<string, unknown>>;

export type ListName = keyof PlaceWords;

/** How a value is shown, and how it is entered into a filter. */
export type Form =
  | 'text'
  | 'money'
  | 'number'
  | 'flag'
  | 'day' // UNIX time, shown as a day in the zone of the account
  | 'time' // UNIX time
  | 'choice'
  | 'currency'
  | 'reference' // an object of another kind: its id, or the object if it is expanded
  | 'member' // the id of a colleague
  | 'link'; // an address

/** What filters of a list can ask of a field. */
export type Asked = 'equal' | 'range' | 'set' | 'contains' | 'empty';

/** A field of an object. */
export interface Field {
  /** Its name in the API. */
  name: string;
  /** The word for it, or the name that the account gave it. */
  label: keyof FieldLabels | { own: string };
  form: Form;
  /** What `sort` calls it; absent: lists are not sorted by it. */
  sort?: string;
  asked: readonly Asked[];
  choices?: keyof ChoiceWords;
  /** Words for the values that the product itself or Stripe gives. Filters take any text. */
  known?: keyof ChoiceWords;
  /** Values of a custom field out of a fixed set. */
  options?: readonly string[];
  /** The kind of object that a reference leads to. */
  to?: ListName;
  /** The list in which the object has a value for each currency. */
  byCurrency?: 'balances';
  /** The width of its column, if that of its form is too small. */
  pixels?: number;
  /** The currency of the value by which a list is sorted and filtered. */
  currency?: string;
}

/** The name of a field for people. */
export function labelOf({ label, form, currency }: Field, labels: FieldLabels): string {
  const text = typeof label === 'string' ? labels[label] : label.own;
  return currency && form === 'money' ? `${text} (${currency.toUpperCase()})` : text;
}

type More = Partial<Omit<Field, 'name' | 'form'>>;

const field =
  (form: Form, asked: readonly Asked[] = []) =>
  (name: keyof FieldLabels, more: More = {}): Field => ({ name, label: name, form, asked, ...more });

export const text = field('text');
export const code = field('text', ['equal']);
export const money = field('money');
export const number = field('number');
export const flag = field('flag');
export const asked = field('flag', ['equal']);
export const currency = field('currency', ['equal', 'set']);
export const day = field('day');
export const time = field('time');
export const link = field('link');
export const member = field('member', ['equal']);

/** Can be sorted by its own name, and filtered by ranges. */
export const ranged = (one: Field): Field => ({ ...one, sort: one.name, asked: ['range', ...one.asked] });

/** A part of what a customer owes. Lists are sorted and filtered by that of one currency. */
export const owed = (one: Field): Field => ({ ...ranged(one), byCurrency: 'balances' });

export const choice = (name: keyof FieldLabels, choices: keyof ChoiceWords, isAsked = true): Field => ({
  ...field('choice', isAsked ? ['equal', 'set'] : [])(name),
  choices,
});

export const reference = (name: keyof FieldLabels, to: ListName, more: More = {}): Field => ({
  ...field('reference')(name, more),
  to,
});

export const customer = reference('customer', 'customers', { asked: ['equal'] });
export const ofCustomer: Field = { ...customer, sort: 'customer.name' };
export const dates: readonly Field[] = [
  time('created_at', { sort: 'created_at', asked: ['range'] }),
  time('updated_at', { sort: 'updated_at', asked: ['range'] }),
];

/** Another list that shows what belongs to an object. */
export interface Related {
  list: ListName;
  /** The parameters of that list, for the object; null: it has none there. */
  query(id: string, row: Row): Readonly<Record<string, string>> | null;
  /** The columns that it has there. */
  columns: readonly string[];
}

/** An act on many objects, as jobs name it, and the permission that it needs. */
export interface Act {
  name: 'send' | 'remind' | 'assign' | 'statement' | 'void' | 'write_off' | 'csv';
  permission: string;
}

/** What is told beside the title of an object. */
export type Mark = keyof CaringWords['marks'];

/** Relations that an answer has as objects, comma-separated. */
export interface Expanded {
  expand?: string;
}

/** Filters under a name that a list has from the start. */
export interface Preset {
  name: Exclude<keyof PresetWords, 'ready'>;
  /** Its filters, and its order if the usual one does not fit. */
  query: Readonly<Record<string, string>>;
}

export type Timeline = Answer<'get', '/customers/{id}/timeline'>;

/** The page of a timeline that is read: of what comes next, or of what happened. */
export interface TimelinePart {
  'filter[upcoming]': boolean;
  sort?: string;
  page: number;
  per_page: number;
}

/** A kind of object: how its list and its page show it. */
export interface Kind {
  object: string;
  list: ListName;
  /** Subject of the permissions that it needs: `customers` of `customers.read`. */
  area: string;
  /** What stands at the head of its page, and in the first column of its list. */
  title(row: Row): string;
  /** Words for titles that the product itself gives. */
  knownTitles?: keyof ChoiceWords;
  fields: readonly Field[];
  /** Names of the columns that the list has by default, after the title. */
  columns: readonly string[];
  /** The order of the list by default. */
  sort: string;
  /** The filters that the list has when somebody comes to it from the menu. */
  opening?: Readonly<Record<string, string>>;
  presets?: readonly Preset[];
  searchable: boolean;
  /** Relations that lists and pages show. */
  expand: readonly string[];
  /** What lists show beside the object itself. */
  include?: string;
  status?: string;
  /** The amount that is told at the head of its page. */
  amount?: string;
  /** The time until which somebody has to act, and whether somebody still has. */
  deadline?: { name: string; isOpen(row: Row): boolean };
  /** What is told beside its title. */
  marks?(row: Row): Mark[];
  /** Whether it is what was left of another object, and nothing can be done to it any more. */
  isOver?(row: Row): boolean;
  /** Reads one object. */
  read(api: Client, id: string, params: Expanded): Promise<Full<object>>;
  /** Reads a page of what happened to an object or of what comes next. Absent: the kind has no timeline. */
  timeline?(api: Client, id: string, part: TimelinePart): Promise<Full<Timeline>>;
  related: readonly Related[];
  /** What can be done to many of them at once. */
  acts?: readonly Act[];
  /** The request that makes one, for an account that has none. */
  example: string;
}

/** The id of an object, expanded or not; empty: there is none. */
export function idIn(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'id' in value) return String(value.id);
  return value === null || value === undefined ? '' : String(value);
}

export const textOf = (row: Row, name: string): string => {
  const value = row[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};
