import { type ComponentType, type LazyExoticComponent, lazy, type Ref, Suspense, useId } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { AdjustmentsInput } from '../documents/adjustmentsInput.tsx';
import { FilesInput } from '../documents/filesInput.tsx';
import { LinesInput } from '../documents/linesInput.tsx';
import { AppliedInput } from '../payments/appliedInput.tsx';
import { useFormWords, useWords } from '../words.ts';
import { LAST_DAY } from '../written.ts';
import type { Entered, FormField, Pair } from './field.ts';
import { Lookup } from './lookup.tsx';
import type { RowsControl, RowsShown } from './rows.ts';

/** What controls of a form have in common. */
export interface Shown {
  field: FormField;
  value: Entered;
  change(value: Entered): void;
  left(): void;
  /** Why the API refuses what stands here, and the part of it that it names. */
  error: string | null;
  param: string | null;
  control: Ref<HTMLElement>;
}

/** A field with its label, its hint and the error that the API told about it. */
export function FieldInput(shown: Shown) {
  const words = useFormWords();
  const { field, error } = shown;
  const id = useId();
  const described = [field.hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter((one) => one !== '').join(' ');
  const attributes = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': error !== null,
    'aria-required': field.isRequired === true,
  };
  const isLines = field.kind === 'lines' || field.kind === 'rows';
  const isGroup = ['pairs', 'lines', 'coupon', 'tax_rate', 'applied'].includes(field.kind);
  return (
    <div
      className={
        field.isWide || field.kind === 'textarea' || field.kind === 'pairs' || isLines ? 'field wide' : 'field'
      }
    >
      {field.kind !== 'flag' &&
        !isLines &&
        (isGroup ? (
          <span className={field.kind === 'applied' ? 'hidden' : 'label'} id={`${id}-label`}>
            {field.label}
          </span>
        ) : (
          <label className="label" htmlFor={id} id={`${id}-label`}>
            {field.label} {field.isRequired && <small>{words.required}</small>}
          </label>
        ))}
      <Control {...shown} attributes={attributes} />
      {field.hint && (
        <p className="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      )}
      {error !== null && !isLines && (
        <p className="error" id={`${id}-error`} dir="auto">
          {error}
        </p>
      )}
    </div>
  );
}

interface Attributes {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
  'aria-required': boolean;
}

type ControlShown = Shown & { attributes: Attributes };

/** Gives an element to a reference that takes elements of any kind. */
const to = (control: Ref<HTMLElement>) => (element: HTMLElement | null) => {
  if (typeof control === 'function') control(element);
};

function Control(shown: ControlShown) {
  const { field, value, change, left, control, attributes } = shown;
  const text = typeof value === 'string' ? value : '';
  const more = { ...attributes, onBlur: left, ref: to(control) };
  switch (field.kind) {
    case 'textarea':
      return <textarea {...more} rows={4} dir="auto" value={text} onChange={({ target }) => change(target.value)} />;
    case 'flag':
      return (
        <label className="box">
          <input type="checkbox" {...more} checked={value === true} onChange={({ target }) => change(target.checked)} />
          {field.label}
        </label>
      );
    case 'choice':
      return <Choices {...shown} />;
    case 'reference':
      return <Lookup {...shown} />;
    case 'pairs':
      return <Pairs {...shown} />;
    case 'rows':
      return <OwnRows {...shown} />;
    case 'files':
      return (
        <FilesInput
          id={attributes.id}
          value={typeof value === 'object' && 'files' in value ? value : { files: [] }}
          change={change}
        />
      );
    case 'applied':
      return <AppliedInput {...shown} />;
    case 'lines':
    case 'coupon':
    case 'tax_rate':
      return <OfDocument {...shown} />;
    default:
      return <Text {...shown} />;
  }
}

const TYPES = { email: 'email', phone: 'tel', day: 'date' } as const;
const isTyped = (kind: string): kind is keyof typeof TYPES => kind in TYPES;

function Text({ field, value, change, left, control, attributes }: ControlShown) {
  const { kind, proposals } = field;
  const list = proposals ? `${attributes.id}-list` : undefined;
  return (
    <>
      <input
        {...attributes}
        ref={to(control)}
        type={isTyped(kind) ? TYPES[kind] : 'text'}
        max={kind === 'day' ? LAST_DAY : undefined}
        inputMode={kind === 'money' ? 'decimal' : kind === 'number' ? 'numeric' : undefined}
        dir={kind === 'text' ? 'auto' : undefined}
        autoComplete="off"
        list={list}
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => change(target.value)}
        onBlur={left}
      />
      {proposals && (
        <datalist id={list}>
          {proposals.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

function Choices({ field, value, change, left, control, attributes }: ControlShown) {
  const { choices = [], none, isRequired } = field;
  const text = typeof value === 'string' ? value : '';
  const isKnown = text === '' || choices.some(({ id }) => id === text);
  return (
    <select
      {...attributes}
      ref={to(control)}
      value={text}
      onBlur={left}
      onChange={({ target }) => change(target.value)}
    >
      {(!isRequired || text === '') && <option value="">{none ?? '–'}</option>}
      {!isKnown && <option value={text}>{text}</option>}
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A list whose field says how it is entered. It shows its errors itself. */
function OwnRows({ field: { rows, label }, value, change, error, param }: ControlShown) {
  if (!rows) return null;
  const entered = typeof value === 'object' && 'rows' in value ? value : { rows: [] };
  const Input = rowsInputs[rows.control];
  return (
    <Suspense fallback={null}>
      <Input label={label} value={entered} change={change} error={error} param={param} />
    </Suspense>
  );
}

/** The controls of lists. Each is loaded with the first form that has it. */
const rowsInputs: Readonly<Record<RowsControl, LazyExoticComponent<ComponentType<RowsShown>>>> = {
  steps: lazy(async () => ({ default: (await import('../collections/stepsInput.tsx')).StepsInput })),
  invoiceSteps: lazy(async () => ({ default: (await import('../collections/stepsInput.tsx')).InvoiceStepsInput })),
  conditions: lazy(async () => ({ default: (await import('../collections/conditionsInput.tsx')).ConditionsInput })),
  runDays: lazy(async () => ({ default: (await import('../collections/daysInput.tsx')).DaysInput })),
};

/** The lines of a document, or its discounts or taxes. They show their errors themselves. */
function OfDocument({ field: { kind, label }, value, change, error, param }: ControlShown) {
  if (kind !== 'coupon' && kind !== 'tax_rate')
    return <LinesInput label={label} value={value} change={change} error={error} param={param} />;
  const adjustments = typeof value === 'object' && 'adjustments' in value ? value.adjustments : [];
  return (
    <AdjustmentsInput
      source={kind}
      label={label}
      value={adjustments}
      change={(changed) => change({ adjustments: changed })}
    />
  );
}

/** Keys of metadata with their values. */
function Pairs({ value, change, left, control, attributes }: ControlShown) {
  const words = useFormWords();
  const { fields } = useWords();
  const pairs: readonly Pair[] = Array.isArray(value) ? value : [];
  const set = (place: number, pair: Pair) => change(pairs.map((one, index) => (index === place ? pair : one)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-labelledby={`${attributes.id}-label`} className="pairs">
      {pairs.map((pair, place) => {
        const number = { number: place + 1 };
        return (
          <div key={place} className="pair">
            <input
              aria-label={fill(words.pairKey, number)}
              maxLength={40}
              value={pair.key}
              ref={place === 0 ? to(control) : undefined}
              onBlur={left}
              onChange={({ target }) => set(place, { ...pair, key: target.value })}
            />
            <input
              aria-label={fill(words.pairValue, number)}
              dir="auto"
              maxLength={255}
              value={pair.value}
              onBlur={left}
              onChange={({ target }) => set(place, { ...pair, value: target.value })}
            />
            <Button
              className="plain"
              aria-label={fill(words.removePair, { name: pair.key || fields.value })}
              onPress={() => change(pairs.filter((_, index) => index !== place))}
            >
              ✕
            </Button>
          </div>
        );
      })}
      <Button className="secondary" onPress={() => change([...pairs, { key: '', value: '' }])}>
        {words.addPair}
      </Button>
    </div>
  );
}
