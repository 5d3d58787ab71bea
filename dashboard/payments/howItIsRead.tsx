import { useId } from 'react';
import { type Chosen, type Column, chosenIn, columns, dateFormats, type Reading } from './statement.ts';
import { useReceivingWords } from './words.ts';

interface Shown {
  reading: Reading;
  /** What the person chose instead. It may be what cannot be read. */
  chosen: Chosen;
  choose(chosen: Chosen): void;
}

/** How the columns of a statement are read. What is wrong can be chosen anew. */
export function HowItIsRead({ reading, chosen, choose }: Shown) {
  const { statement: words } = useReceivingWords();
  const now = { ...chosenIn(reading), ...chosen };
  const skipped = now.skip_rows ?? '0';
  const change = (one: Chosen) => choose({ ...now, ...one });
  const named = (column: Column) => ({ label: words.column[column], value: now.mapping?.[column] ?? '' });
  return (
    <section className="reading" aria-labelledby="reading">
      <h2 id="reading">{words.columns}</h2>
      <p>{words.columnsWhat}</p>
      {columns.map((column) => (
        <Choice
          key={column}
          {...named(column)}
          {...(column === 'date' || column === 'amount' ? {} : { none: words.noColumn })}
          options={reading.columns}
          change={(name) => change({ mapping: { ...now.mapping, [column]: name } })}
        />
      ))}
      <Choice
        label={words.dateFormat}
        value={now.date_format ?? ''}
        options={dateFormats}
        change={(date) => change({ date_format: date })}
      />
      <Choice
        label={words.decimal}
        value={now.decimal_separator ?? ''}
        none={words.decimalEach}
        options={['.', ',']}
        change={(decimal) => change({ decimal_separator: decimal })}
      />
      <Skipped key={skipped} rows={skipped} change={(rows) => choose({ skip_rows: rows })} />
    </section>
  );
}

interface ChoiceShown {
  label: string;
  value: string;
  none?: string;
  options: readonly string[];
  change(value: string): void;
}

function Choice({ label, value, none, options, change }: ChoiceShown) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => change(target.value)}>
        {(none !== undefined || value === '') && <option value="">{none ?? '–'}</option>}
        {options.map((one) => (
          <option key={one} value={one} dir="auto">
            {one}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The lines before the header. Others have another header, so the columns are proposed anew. */
function Skipped({ rows, change }: { rows: string; change(rows: string): void }) {
  const { statement: words } = useReceivingWords();
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{words.skipped}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={100}
        defaultValue={rows}
        onBlur={({ target }) => target.value !== rows && change(target.value)}
      />
    </div>
  );
}
