import { useEffect, useId, useRef, useState } from 'react';
import { fill } from '../../words/text.ts';
import { useFormWords, useWords } from '../words.ts';
import { areSame, changedIn, type Entered, type FormField, type Values } from './field.ts';
import type { Rows } from './rows.ts';

interface Shown {
  fields: readonly FormField[];
  /** What stood in the fields before, what the person entered, and what is stored now. */
  base: Values;
  mine: Values;
  theirs: Values;
  /** Saves again, with what the person wants to stand in the fields. */
  resolve(values: Values): void;
}

/** Both versions of an object that somebody else changed meanwhile, field by field. */
export function StaleNote({ fields, base, mine, theirs, resolve }: Shown) {
  const words = useFormWords();
  const id = useId();
  const head = useRef<HTMLHeadingElement>(null);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => head.current?.focus(), []);
  const own = changedIn(fields, base, mine);
  const foreign = changedIn(fields, base, theirs);
  const both = own.filter(({ name }) => !areSame(mine[name], theirs[name]));
  const others = foreign.filter((field) => !own.includes(field));
  const save = () => {
    const kept = own.filter(({ name }) => !taken.has(name)).map(({ name }) => [name, mine[name] ?? '']);
    resolve({ ...theirs, ...Object.fromEntries(kept) });
  };
  return (
    <div className="stale" role="alert">
      <h2 ref={head} tabIndex={-1}>
        {words.staleTitle}
      </h2>
      <p>{words.staleWhat}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.yours}</th>
            <th scope="col">{words.stored}</th>
          </tr>
        </thead>
        <tbody>
          {both.map((field) => (
            <tr key={field.name}>
              <th scope="row">{field.label}</th>
              {[false, true].map((isTheirs) => (
                <td key={String(isTheirs)} data-label={isTheirs ? words.stored : words.yours}>
                  <label className="box">
                    <input
                      type="radio"
                      name={`${id}${field.name}`}
                      checked={taken.has(field.name) === isTheirs}
                      aria-label={fill(isTheirs ? words.takeTheirs : words.keepMine, { name: field.label })}
                      onChange={() => setTaken(withName(taken, field.name, isTheirs))}
                    />
                    <Told field={field} value={(isTheirs ? theirs : mine)[field.name]} />
                  </label>
                </td>
              ))}
            </tr>
          ))}
          {others.map((field) => (
            <tr key={field.name}>
              <th scope="row">{field.label}</th>
              <td data-label={words.yours}>
                <small>{words.unchanged}</small>
              </td>
              <td data-label={words.stored}>
                <Told field={field} value={theirs[field.name]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={save}>
        {words.saveAgain}
      </button>
    </div>
  );
}

function withName(names: ReadonlySet<string>, name: string, isIn: boolean): ReadonlySet<string> {
  const changed = new Set(names);
  if (isIn) changed.add(name);
  else changed.delete(name);
  return changed;
}

/** A value as a person reads it. */
function Told({ field, value }: { field: FormField; value: Entered | undefined }) {
  const words = useWords();
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'object' && 'rows' in value)
    return <span dir="auto">{field.rows?.tell(value).join(', ') || words.empty}</span>;
  if (typeof value === 'object') return <span dir="auto">{textsIn(value).join(', ') || words.empty}</span>;
  const name = field.choices?.find(({ id }) => id === value)?.name ?? value;
  return <span dir="auto">{name || field.none || words.empty}</span>;
}

/** The parts of a value that has several. */
function textsIn(value: Exclude<Entered, string | boolean | Rows>): string[] {
  if ('lines' in value) return value.lines.map(({ name, quantity, unitCost }) => `${quantity} × ${name}: ${unitCost}`);
  if ('files' in value) return value.files.map(({ name }) => name);
  if ('applied' in value) return value.applied.map(({ invoice, amount }) => `${invoice}: ${amount}`);
  if ('adjustments' in value) return value.adjustments.map(({ name, amount }) => name || amount);
  return value.map(({ key, value: text }) => `${key}: ${text}`);
}
