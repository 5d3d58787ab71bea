import { useId, useState } from 'react';
import { useFormats } from '../formats.ts';
import { numberNeeded } from '../forms/checks.ts';
import type { Finder } from '../forms/field.ts';
import { Lookup } from '../forms/lookup.tsx';
import { customerFinder } from '../forms/options.ts';
import { type Asked, type Field, type Form, labelOf } from '../kinds/kind.ts';
import { useWords } from '../words.ts';
import { type Formats, LAST_DAY } from '../written.ts';
import { MemberSelect } from './members.tsx';
import { type Filter, type Operator, parameterOf, type Search } from './state.ts';

const customers = customerFinder(null);

/** Finds by name what a field refers to; null: it is entered as it is. */
export const finderOf = ({ form, to }: Field): Finder | null =>
  form === 'reference' && to === 'customers' ? customers : null;

const takes = ({ asked }: Field, one: Asked): boolean => asked.includes(one);

/** Fields of the question whose text is read, by their names, with the operators that they stand for. */
const TYPED = { from: 'gte', to: 'lte', contains: 'contains', equal: null } as const;
type TypedName = keyof typeof TYPED;
const typedNames: readonly TypedName[] = ['from', 'to', 'contains', 'equal'];

/** What is sent for a text; null: it is nothing that the field can have. */
function sentOf(
  { form }: Field,
  name: TypedName,
  { text, formats }: { text: string; formats: Formats },
): string | null {
  if (name === 'contains') return text;
  if (form === 'money' || form === 'number') return formats.plainNumber(text);
  if (name === 'equal' || !isDay(form)) return text;
  return String(name === 'to' ? formats.endOf(text) : formats.startOf(text));
}

/** The text with which a field of the question begins, when its filter is changed. */
function enteredOf({ form }: Field, value: string, formats: Formats): string {
  if (isDay(form)) return /^\d{1,11}$/.test(value) ? formats.isoDay(Number(value)) : value;
  const isPlain = (form === 'money' || form === 'number') && /^-?\d{1,15}(\.\d{1,4})?$/.test(value);
  if (!isPlain) return value;
  const shown = formats.number(Number(value));
  return formats.twoNumbers(shown) ? formats.typedNumber(value) : shown;
}

const isDay = (form: Form): boolean => form === 'day' || form === 'time';

interface Shown {
  field: Field;
  /** The filters of the field that there are. */
  filters: readonly Filter[];
  apply(parameters: Search): void;
}

/** The fields in which a person enters what a filter asks of one field. */
export function Question({ field, filters, apply }: Shown) {
  const words = useWords();
  const formats = useFormats();
  const [wrong, setWrong] = useState<{ name: TypedName; text: string } | null>(null);
  const filtered = (operator: Operator | null) => filters.find((one) => one.operator === operator)?.value ?? '';
  const [days, setDays] = useState(filtered('within'));
  const submit = (element: HTMLFormElement) => {
    const form = new FormData(element);
    const entered = (name: string) => String(form.get(name) ?? '').trim();
    const asked: Record<string, string> = {};
    const named = entered('within');
    if (named !== '') asked[parameterOf(field.name, 'within')] = named;
    for (const name of typedNames.filter((one) => entered(one) !== '')) {
      const sent = sentOf(field, name, { text: entered(name), formats });
      if (sent === null) {
        setWrong({ name, text: entered(name) });
        element.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
        return;
      }
      asked[parameterOf(field.name, TYPED[name])] = sent;
    }
    if (entered('empty') === 'true') asked[parameterOf(field.name, 'empty')] = 'true';
    const chosen = form.getAll('set').map(String);
    if (chosen.length > 0) asked[parameterOf(field.name, chosen.length > 1 ? 'in' : null)] = chosen.join(',');
    if (Object.keys(asked).length > 0) apply(asked);
  };
  const entry = (name: TypedName, label: string) => (
    <Entry
      name={name}
      label={label}
      form={name === 'contains' ? 'text' : field.form}
      initial={enteredOf(field, filtered(TYPED[name]), formats)}
      error={wrong?.name === name ? numberNeeded(wrong.text, words, formats) : null}
    />
  );
  return (
    <form
      className="question"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        submit(event.currentTarget);
      }}
    >
      <Choices field={field} chosen={[filtered(null), ...filtered('in').split(',')]} />
      {takes(field, 'contains') && entry('contains', words.contains)}
      {field.form === 'member' && <MemberSelect name="equal" label={words.is} initial={filtered(null)} />}
      {finderOf(field) && <Named field={field} initial={filtered(null)} />}
      {takes(field, 'equal') && isTyped(field) && entry('equal', words.is)}
      {takes(field, 'range') && isDay(field.form) && <Period named={days} choose={setDays} />}
      {takes(field, 'range') && days === '' && entry('from', words.from)}
      {takes(field, 'range') && days === '' && entry('to', words.to)}
      {takes(field, 'empty') && (
        <label className="box">
          <input type="checkbox" name="empty" value="true" defaultChecked={filtered('empty') === 'true'} />{' '}
          {words.isEmpty}
        </label>
      )}
      <button type="submit">{words.apply}</button>
    </form>
  );
}

/** Whether a value of the field is entered as a text. */
const isTyped = (field: Field): boolean =>
  !['choice', 'flag', 'member'].includes(field.form) && finderOf(field) === null;

/** The values of a field out of a fixed set. */
function Choices({ field: { form, choices, options = [] }, chosen }: { field: Field; chosen: readonly string[] }) {
  const words = useWords();
  const offered = choices ? Object.entries(words.choices[choices]) : options.map((one) => [one, one] as const);
  if (form === 'flag')
    return [true, false].map((value) => (
      <label key={String(value)} className="box">
        <input
          type="radio"
          name="equal"
          value={String(value)}
          defaultChecked={chosen.includes('false') ? !value : value}
        />{' '}
        {value ? words.yes : words.no}
      </label>
    ));
  return offered.map(([value, text]) => (
    <label key={value} className="box">
      <input type="checkbox" name="set" value={value} defaultChecked={chosen.includes(value)} />{' '}
      <span dir="auto">{text}</span>
    </label>
  ));
}

/** Chooses days that move on with the calendar. `named` empty: fixed ones. */
function Period({ named, choose }: { named: string; choose(days: string): void }) {
  const words = useWords();
  return (
    <label>
      {words.period}
      <select name="within" value={named} onChange={({ target }) => choose(target.value)}>
        <option value="">{words.fixedDays}</option>
        {Object.entries(words.choices.relativeDays).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Finds an object by its name. */
function Named({ field, initial }: { field: Field; initial: string }) {
  const words = useWords();
  const id = useId();
  const [value, setValue] = useState(initial);
  const label = labelOf(field, words.fields);
  const finder = finderOf(field);
  return (
    <div>
      <span id={`${id}-label`}>{label}</span>
      <Lookup
        field={{ name: field.name, label, kind: 'reference', none: words.search, ...(finder ? { finder } : {}) }}
        value={value}
        change={(chosen) => setValue(String(chosen))}
        control={null}
        attributes={{ id, 'aria-describedby': undefined }}
      />
      <input type="hidden" name="equal" value={value} />
    </div>
  );
}

interface EntryShown {
  name: string;
  label: string;
  form: Form;
  initial: string;
  error: string | null;
}

function Entry({ name, label, form, initial, error }: EntryShown) {
  const id = useId();
  const isNumber = form === 'money' || form === 'number';
  return (
    <div>
      <label>
        {label}
        <input
          name={name}
          type={isDay(form) ? 'date' : 'text'}
          defaultValue={initial}
          maxLength={255}
          max={isDay(form) ? LAST_DAY : undefined}
          inputMode={isNumber ? 'decimal' : undefined}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : id}
        />
      </label>
      {error !== null && (
        <p className="error" id={id} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
