import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { type Formats, LAST_DAY, useFormats } from '../formats.ts';
import { useMembers } from '../forms/options.ts';
import type { Asked, Field, Kind } from '../kinds/kind.ts';
import { useWords } from '../words.ts';
import { MemberSelect } from './members.tsx';
import { type Filter, filtersIn, type Operator, parameterOf, type Search, without } from './state.ts';
import { choiceText } from './value.tsx';

interface Shown {
  kind: Kind;
  search: Search;
  change(search: Search): void;
}

/** The filters of a list, each with a button that removes it, and the button that adds one. */
export function Filters({ kind, search, change }: Shown) {
  const words = useWords();
  const tell = useFilterText();
  const filters = filtersIn(kind, search);
  return (
    <div className="filters">
      <AddFilter kind={kind} search={search} change={change} />
      {filters.map((filter) => (
        <span key={filter.parameter} className="chip">
          <span dir="auto">{tell(filter)}</span>
          <Button
            className="plain"
            aria-label={fill(words.removeFilter, { name: tell(filter) })}
            onPress={() => change(without(search, [filter.parameter]))}
          >
            ✕
          </Button>
        </span>
      ))}
      {filters.length > 1 && (
        <Button
          className="plain"
          onPress={() =>
            change(
              without(
                search,
                filters.map(({ parameter }) => parameter),
              ),
            )
          }
        >
          {words.clearFilters}
        </Button>
      )}
    </div>
  );
}

/** Says what a filter asks for. */
function useFilterText(): (filter: Filter) => string {
  const words = useWords();
  const formats = useFormats();
  const members = useMembers(null);
  return ({ field, name, operator, value, parameter }) => {
    if (!field) return `${parameter}=${value}`;
    const label = words.fields[field.label] ?? name;
    const told = (text: string) => {
      if (field.form === 'member') return members.find(({ id }) => id === text)?.name ?? text;
      return valueText(field, text, formats) ?? choiceText(words.choices, field, text);
    };
    if (field.form === 'flag') return `${label}: ${value === 'true' ? words.yes : words.no}`;
    if (operator === 'gte') return `${label} ≥ ${told(value)}`;
    if (operator === 'lte') return `${label} ≤ ${told(value)}`;
    if (operator === 'in') return `${label}: ${value.split(',').map(told).join(', ')}`;
    if (operator === 'contains') return `${label} ${words.contains} “${value}”`;
    if (operator === 'empty') return `${label}: ${value === 'true' ? words.isEmpty : words.isNotEmpty}`;
    return `${label}: ${told(value)}`;
  };
}

function valueText(field: Field, text: string, formats: Formats): string | null {
  if ((field.form === 'day' || field.form === 'time') && /^\d{1,11}$/.test(text)) return formats.day(Number(text));
  return null;
}

/** Chooses a field of the list, and what its value must be. */
function AddFilter({ kind, search, change }: Shown) {
  const words = useWords();
  const fields = kind.fields.filter(({ asked }) => asked.length > 0);
  const [name, setName] = useState(fields[0]?.name ?? '');
  const field = fields.find((one) => one.name === name) ?? fields[0];
  if (!field) return null;
  return (
    <DialogTrigger>
      <Button className="secondary">+ {words.addFilter}</Button>
      <Popover>
        <Dialog aria-label={words.addFilter} className="panel">
          {({ close }) => (
            <>
              <label>
                {words.filters}
                <select value={field.name} onChange={({ target }) => setName(target.value)}>
                  {fields.map((one) => (
                    <option key={one.name} value={one.name}>
                      {words.fields[one.label]}
                    </option>
                  ))}
                </select>
              </label>
              <Question
                key={field.name}
                field={field}
                apply={(parameters) => {
                  change({ ...search, ...parameters });
                  close();
                }}
              />
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

const takes = ({ asked }: Field, one: Asked): boolean => asked.includes(one);

/** The fields in which a person enters what a filter asks of one field. */
function Question({ field, apply }: { field: Field; apply(parameters: Search): void }) {
  const words = useWords();
  const formats = useFormats();
  const isDay = field.form === 'day' || field.form === 'time';
  const unixOf = (text: string, isEnd: boolean) => {
    if (!isDay) return text;
    return String(isEnd ? formats.endOf(text) : formats.startOf(text));
  };
  const submit = (form: FormData) => {
    const entered = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const asked: [Operator | null, string][] = [];
    if (entered('empty') === 'true') asked.push(['empty', 'true']);
    if (entered('from') !== '') asked.push(['gte', unixOf(entered('from'), false)]);
    if (entered('to') !== '') asked.push(['lte', unixOf(entered('to'), true)]);
    if (entered('contains') !== '') asked.push(['contains', entered('contains')]);
    if (entered('equal') !== '') asked.push([null, entered('equal')]);
    const chosen = form.getAll('set').filter((one) => typeof one === 'string');
    if (chosen.length === 1 && chosen[0]) asked.push([null, chosen[0]]);
    if (chosen.length > 1) asked.push(['in', chosen.join(',')]);
    if (asked.length > 0)
      apply(Object.fromEntries(asked.map(([operator, value]) => [parameterOf(field.name, operator), value])));
  };
  const choices = field.choices ? Object.entries(words.choices[field.choices]) : [];
  return (
    <form
      className="question"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      {choices.map(([value, text]) => (
        <label key={value} className="box">
          <input type="checkbox" name="set" value={value} /> {text}
        </label>
      ))}
      {field.form === 'flag' &&
        [true, false].map((value) => (
          <label key={String(value)} className="box">
            <input type="radio" name="equal" value={String(value)} defaultChecked={value} />{' '}
            {value ? words.yes : words.no}
          </label>
        ))}
      {takes(field, 'contains') && <Entry name="contains" label={words.contains} />}
      {field.form === 'member' && <MemberSelect name="equal" label={words.is} />}
      {takes(field, 'equal') && choices.length === 0 && field.form !== 'flag' && field.form !== 'member' && (
        <Entry name="equal" label={words.is} />
      )}
      {takes(field, 'range') && (
        <>
          <Entry name="from" label={words.from} type={isDay ? 'date' : 'text'} />
          <Entry name="to" label={words.to} type={isDay ? 'date' : 'text'} />
        </>
      )}
      {takes(field, 'empty') && (
        <label className="box">
          <input type="checkbox" name="empty" value="true" /> {words.isEmpty}
        </label>
      )}
      <button type="submit">{words.apply}</button>
    </form>
  );
}

function Entry({ name, label, type = 'text' }: { name: string; label: string; type?: string }) {
  return (
    <label>
      {label}
      <input
        name={name}
        type={type}
        maxLength={255}
        max={type === 'date' ? LAST_DAY : undefined}
        inputMode={type === 'text' ? undefined : 'numeric'}
      />
    </label>
  );
}
