import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { movedRow, type RowsShown, rowAt } from '../forms/rows.ts';
import { type Change, StepRow } from './stepRow.tsx';
import {
  CUSTOMER_SCHEDULES,
  INVOICE_SCHEDULES,
  MOST_STEPS,
  newStep,
  type Schedule,
  type Step,
  stepIn,
} from './steps.ts';
import { useCollectingWords } from './words.ts';

export const StepsInput = (shown: RowsShown) => <Steps {...shown} schedules={CUSTOMER_SCHEDULES} />;
export const InvoiceStepsInput = (shown: RowsShown) => <Steps {...shown} schedules={INVOICE_SCHEDULES} />;

/** The steps of a cadence: rows that can be moved, added and removed by keyboard. */
function Steps({ label, value, change, param, error, schedules }: RowsShown & { schedules: readonly Schedule[] }) {
  const { form: words } = useCollectingWords();
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const steps = value.rows.map(stepIn);
  const refused = rowAt(param);
  const place = refused !== null && refused.place < steps.length ? refused.place : null;
  const { told, add, act } = useActs({ steps, list, change, usual: schedules[0] ?? '' });
  useRefused({ list, place, field: refused?.field ?? '', error });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-label={label} className="cadence-steps">
      <ol ref={list}>
        {steps.map((step, row) => (
          <StepRow
            key={step.key}
            step={step}
            place={row}
            schedules={schedules}
            refused={row === place ? (refused?.field ?? null) : null}
            error={row === place ? error : null}
            act={act}
          />
        ))}
      </ol>
      {error !== null && place === null && (
        <p className="error" id={`${id}-error`} role="alert" dir="auto">
          {error}
        </p>
      )}
      <button type="button" className="secondary" onClick={() => add(steps.length - 1)}>
        {words.addStep}
      </button>
      <p className="hint">{words.stepsHint}</p>
      <p role="status" className="told">
        {told}
      </p>
    </div>
  );
}

type List = RefObject<HTMLOListElement | null>;

interface Acting {
  steps: readonly Step[];
  list: List;
  change: RowsShown['change'];
  /** From what the days of a first step count. */
  usual: string;
}

/** What is done to steps, and what is told about it. */
function useActs({ steps, list, change, usual }: Acting) {
  const { form: words } = useCollectingWords();
  const formats = useFormats();
  const [told, setTold] = useState('');
  const focusOn = (row: number, field: string) => requestAnimationFrame(() => fieldIn(list, row, field)?.focus());
  const add = (after: number) => {
    if (steps.length >= MOST_STEPS) return setTold(fill(words.tooMany, { most: formats.number(MOST_STEPS) }));
    const from = steps[after]?.from ?? usual;
    const step = newStep({ from: from === 'issue' ? usual : from });
    change({ rows: steps.toSpliced(after + 1, 0, step) });
    focusOn(after + 1, 'name');
  };
  const act = (row: number, what: Change) => {
    const step = steps[row];
    setTold('');
    if (!step) return;
    switch (what.kind) {
      case 'set':
        return change({ rows: steps.with(row, { ...step, ...what.fields }) });
      case 'move':
        change({ rows: movedRow(steps, row, what.by) });
        return focusOn(Math.min(steps.length - 1, Math.max(0, row + what.by)), what.field);
      case 'remove':
        change({ rows: steps.toSpliced(row, 1) });
        return focusOn(Math.max(0, row - 1), 'name');
      case 'add':
        return add(row);
    }
  };
  return { told, add, act };
}

const fieldIn = (list: List, row: number, field: string): HTMLElement | null =>
  list.current?.children[row]?.querySelector<HTMLElement>(`[data-field="${field}"]`) ?? null;

/** The field that the API refuses gets the focus. */
function useRefused({
  list,
  place,
  field,
  error,
}: {
  list: List;
  place: number | null;
  field: string;
  error: string | null;
}) {
  useEffect(() => {
    if (error === null || place === null) return;
    (fieldIn(list, place, field) ?? fieldIn(list, place, 'name'))?.focus();
  }, [list, error, place, field]);
}
