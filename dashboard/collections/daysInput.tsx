import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { useFormats } from '../formats.ts';
import { keyOf } from '../forms/field.ts';
import type { RowsShown } from '../forms/rows.ts';
import { daysIn, weekdayIn } from './steps.ts';

const LAST: Readonly<Record<string, number>> = { day_of_week: 7, day_of_month: 31 };

/** The days of the week or of the month on which a cadence asks. */
export function DaysInput({ label, value, change, error }: RowsShown) {
  const { language, number } = useFormats();
  const frequency = useWatch({ name: keyOf('frequency') });
  const last = LAST[String(frequency)] ?? 0;
  const known = useRef(last);
  useEffect(() => {
    if (known.current !== last && value.rows.length > 0) change({ rows: [] });
    known.current = last;
  });
  const chosen = daysIn(value);
  const toggle = (day: number) => {
    const others = chosen.filter((one) => one !== day);
    const days = others.length < chosen.length ? others : [...chosen, day].toSorted((a, b) => a - b);
    change({ rows: days.map((one) => ({ day: String(one) })) });
  };
  if (last === 0) return error === null ? null : <Wrong error={error} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-label={label} className="run-days">
      <span className="label">{label}</span>
      <div>
        {Array.from({ length: last }, (_, place) => place + 1).map((day) => (
          <label key={day} className="run-day">
            <input type="checkbox" checked={chosen.includes(day)} onChange={() => toggle(day)} />
            <span>{last === 7 ? weekdayIn(language, day) : number(day)}</span>
          </label>
        ))}
      </div>
      {error !== null && <Wrong error={error} />}
    </div>
  );
}

const Wrong = ({ error }: { error: string }) => (
  <p className="error" role="alert" dir="auto">
    {error}
  </p>
);
