import { useEffect, useId, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { fill } from '../../words/text.ts';
import { keyOf } from '../forms/field.ts';
import { type RowsShown, rowAt } from '../forms/rows.ts';
import { useWords } from '../words.ts';
import { conditionIn } from './steps.ts';
import { useCollectingWords } from './words.ts';

/** What the fields of conditions are called, besides custom fields. */
const OWN = 'metadata.';

function useFieldNames(): ReadonlyMap<string, string> {
  const { fields } = useWords();
  const { form } = useCollectingWords();
  return new Map([
    ['country', fields.country],
    ['state', form.state],
    ['currency', fields.currency],
    ['language', fields.language],
    ['type', fields.type],
    ['payment_terms', fields.payment_terms],
    ['owner', fields.owner],
    ['parent_customer', fields.parent_customer],
    ['autopay', fields.autopay],
  ]);
}

/** The conditions on customers, where a cadence asks by conditions. */
export function ConditionsInput({ label, value, change, param, error }: RowsShown) {
  const { form: words } = useCollectingWords();
  const mode = useWatch({ name: keyOf('assignment_mode') });
  const names = useFieldNames();
  const id = useId();
  const isAsked = mode === 'conditions';
  useLeft(isAsked, () => value.rows.length > 0 && change({ rows: [] }));
  if (!isAsked) return null;
  const rows = value.rows.map(conditionIn);
  const refused = rowAt(param)?.place ?? null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-label={label} className="cadence-conditions">
      <span className="label">{label}</span>
      {rows.map((row, place) => {
        const labelOf = (field: string) => fill(words.ofCondition, { field, number: place + 1 });
        const isOwn = row.field.startsWith(OWN);
        const set = (cells: object) => change({ rows: value.rows.with(place, { ...row, ...cells }) });
        const wrong = {
          'aria-invalid': refused === place,
          'aria-describedby': error === null ? undefined : `${id}-error`,
        };
        return (
          <div key={row.key} className="condition">
            <select
              aria-label={labelOf(words.field)}
              {...wrong}
              value={isOwn ? OWN : row.field}
              onChange={({ target }) => set({ field: target.value })}
            >
              {[...names].map(([field, name]) => (
                <option key={field} value={field}>
                  {name}
                </option>
              ))}
              <option value={OWN}>{words.ownField}</option>
            </select>
            {isOwn && (
              <input
                aria-label={labelOf(words.ownField)}
                {...wrong}
                dir="auto"
                autoComplete="off"
                maxLength={40}
                value={row.field.slice(OWN.length)}
                onChange={({ target }) => set({ field: OWN + target.value })}
              />
            )}
            <select
              aria-label={labelOf(words.comparison)}
              value={row.operator}
              onChange={({ target }) => set({ operator: target.value })}
            >
              <option value="is">{words.is}</option>
              <option value="is_not">{words.isNot}</option>
            </select>
            <input
              aria-label={labelOf(words.value)}
              dir="auto"
              autoComplete="off"
              maxLength={255}
              placeholder={words.value}
              value={row.value}
              onChange={({ target }) => set({ value: target.value })}
            />
            <button
              type="button"
              className="plain"
              aria-label={fill(words.removeCondition, { number: place + 1 })}
              onClick={() => change({ rows: value.rows.toSpliced(place, 1) })}
            >
              ✕
            </button>
          </div>
        );
      })}
      {error !== null && (
        <p className="error" id={`${id}-error`} role="alert" dir="auto">
          {error}
        </p>
      )}
      <button
        type="button"
        className="secondary"
        onClick={() => change({ rows: [...value.rows, conditionIn({ key: crypto.randomUUID() })] })}
      >
        {words.addCondition}
      </button>
      <p className="hint">{words.conditionsHint}</p>
    </div>
  );
}

/** Calls when something is no longer asked for. */
export function useLeft(isAsked: boolean, left: () => void) {
  const wasAsked = useRef(isAsked);
  useEffect(() => {
    if (wasAsked.current && !isAsked) left();
    wasAsked.current = isAsked;
  });
}
