import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { useNamed } from '../forms/lookup.tsx';
import { useMembers } from '../forms/options.ts';
import { type Field, type Kind, labelOf } from '../kinds/kind.ts';
import { can } from '../session.ts';
import { useWords } from '../words.ts';
import type { Formats } from '../written.ts';
import { finderOf, Question } from './question.tsx';
import { type Filter, filtersIn, type Search, without } from './state.ts';
import { choiceText } from './value.tsx';

interface Shown {
  kind: Kind;
  search: Search;
  change(search: Search): void;
}

/** The filters of a list, each with a button that removes it, and the button that adds one. */
export function Filters({ kind, search, change }: Shown) {
  const words = useWords();
  const filters = filtersIn(kind, search);
  return (
    <div className="filters">
      <AddFilter kind={kind} search={search} change={change} />
      {filters.map((filter) => (
        <Chip key={filter.parameter} filter={filter} kind={kind} search={search} change={change} />
      ))}
      {filters.length > 1 && (
        <Button className="plain" onPress={() => change(without(search, parametersOf(filters)))}>
          {words.clearFilters}
        </Button>
      )}
    </div>
  );
}

const parametersOf = (filters: readonly Filter[]): string[] => filters.map(({ parameter }) => parameter);

/** One filter: pressed, it is changed together with the others of its field. */
function Chip({ filter, kind, search, change }: Shown & { filter: Filter }) {
  const words = useWords();
  const text = useFilterText(filter);
  const { field, parameter } = filter;
  const ofField = filtersIn(kind, search).filter((one) => one.field === field);
  return (
    <span className="chip">
      {field ? (
        <DialogTrigger>
          <Button className="plain">
            <span dir="auto">{text}</span>
          </Button>
          <Popover>
            <Dialog className="panel">
              {({ close }) => (
                <>
                  <Heading slot="title">{labelOf(field, words.fields)}</Heading>
                  <Question
                    field={field}
                    filters={ofField}
                    apply={(asked) => {
                      change({ ...without(search, parametersOf(ofField)), ...asked });
                      close();
                    }}
                  />
                </>
              )}
            </Dialog>
          </Popover>
        </DialogTrigger>
      ) : (
        <span dir="auto">{text}</span>
      )}
      <Button
        className="plain"
        aria-label={fill(words.removeFilter, { name: text })}
        onPress={() => change(without(search, [parameter]))}
      >
        ✕
      </Button>
    </span>
  );
}

/** Says what a filter asks for. */
function useFilterText({ field, operator, value, parameter }: Filter): string {
  const words = useWords();
  const formats = useFormats();
  const members = useMembers(field?.form === 'member' ? value : null);
  const finder = field ? finderOf(field) : null;
  const named = useNamed({ name: 'customer', ...(finder ? { finder } : {}) }, value);
  if (!field) return `${parameter}=${value}`;
  const label = labelOf({ ...field, currency: '' }, words.fields);
  const told = (text: string) => {
    if (field.form === 'member') return members.find(({ id }) => id === text)?.name ?? text;
    if (field.form === 'reference') return named;
    return valueText(field, text, formats) ?? choiceText(words.choices, field, text);
  };
  if (operator === 'empty') return `${label}: ${value === 'true' ? words.isEmpty : words.isNotEmpty}`;
  if (field.form === 'flag') return `${label}: ${value === 'true' ? words.yes : words.no}`;
  if (operator === 'gt') return `${label} > ${told(value)}`;
  if (operator === 'gte') return `${label} ≥ ${told(value)}`;
  if (operator === 'lte') return `${label} ≤ ${told(value)}`;
  if (operator === 'within')
    return `${label}: ${choiceText(words.choices, { ...field, choices: 'relativeDays' }, value)}`;
  if (operator === 'in') return `${label}: ${value.split(',').map(told).join(', ')}`;
  if (operator === 'contains') return `${label} ${words.contains} “${value}”`;
  return `${label}: ${told(value)}`;
}

function valueText({ form, currency }: Field, text: string, formats: Formats): string | null {
  const isNumber = /^-?\d{1,15}(\.\d+)?$/.test(text);
  if ((form === 'day' || form === 'time') && /^\d{1,11}$/.test(text)) {
    const day = formats.day(Number(text));
    return currency ? `${day} (${currency.toUpperCase()})` : day;
  }
  if (form === 'money' && isNumber)
    return currency ? formats.money(Number(text), currency) : formats.number(Number(text));
  return form === 'number' && isNumber ? formats.number(Number(text)) : null;
}

/** Chooses a field of the list, and what its value must be. */
function AddFilter({ kind, search, change }: Shown) {
  const words = useWords();
  const { me } = useRouteContext({ from: '__root__' });
  const canName = can(me, 'customers.read');
  const fields = kind.fields.filter((one) => one.asked.length > 0 && (canName || finderOf(one) === null));
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
                      {labelOf(one, words.fields)}
                    </option>
                  ))}
                </select>
              </label>
              <Question
                key={field.name}
                field={field}
                filters={[]}
                apply={(asked) => {
                  change({ ...search, ...asked });
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
