import { useId, useState } from 'react';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { numberNeeded } from '../forms/checks.ts';
import { useWords } from '../words.ts';
import type { Adjustment } from './adjustments.ts';
import { AdjustmentsInput } from './adjustmentsInput.tsx';
import { hasRows, type Line } from './lines.ts';
import { useInvoicingWords } from './words.ts';

/** What is done to a line. */
export type Change =
  /** `isChosen`: out of the proposals, or nobody types on. */
  | { kind: 'name'; name: string; isChosen: boolean }
  | { kind: 'set'; fields: Partial<Line> }
  | { kind: 'move'; by: number; field: string }
  | { kind: 'remove' }
  | { kind: 'add' }
  | { kind: 'paste'; text: string };

interface Shown {
  line: Line;
  place: number;
  /** What the line costs by the dry run; null: not known yet. */
  amount: number | null;
  currency: string | null;
  /** The field that the API refuses, and why. */
  refused: string | null;
  error: string | null;
  /** Id of the list of items that its name proposes. */
  proposals: string;
  act(place: number, what: Change): void;
}

/** The fields that stand in the row, by their names in the API. */
const FIELDS = { name: 'name', quantity: 'quantity', unit_cost: 'unitCost' } as const;
type Field = keyof typeof FIELDS;

/** Letters of a description that stand in the row. */
const MOST_TOLD = 60;

const toldOf = ({ name, code, amount }: Adjustment): string => name || code || amount;

/** One line: its name, quantity, unit cost and amount, and below them what few lines have. */
export function LineRow(shown: Shown) {
  const { line, place, amount, currency, error, act } = shown;
  const words = useInvoicingWords();
  const labels = useWords();
  const formats = useFormats();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const number = { number: place + 1 };
  const own = fill(words.line, number);
  const unreadable = [line.quantity, line.unitCost].find(
    (text) => text.trim() !== '' && formats.plainNumber(text) === null,
  );
  const wrong = error ?? (unreadable === undefined ? null : numberNeeded(unreadable, labels, formats));
  const told = [line.description.slice(0, MOST_TOLD), ...[...line.discounts, ...line.taxes].map(toldOf)].filter(
    (text) => text !== '',
  );
  return (
    <li>
      {(['name', 'quantity', 'unit_cost'] as const).map((field) => (
        <Cell key={field} shown={shown} field={field} describedBy={wrong === null ? undefined : `${id}-error`} />
      ))}
      <output className="money" aria-label={fill(words.ofLine, { field: labels.fields.amount, ...number })}>
        {amount !== null && currency !== null && formats.money(amount, currency)}
      </output>
      <button
        type="button"
        className="plain"
        aria-label={fill(labels.moveUp, { name: own })}
        onClick={() => act(place, { kind: 'move', by: -1, field: 'name' })}
      >
        ↑
      </button>
      <button
        type="button"
        className="plain"
        aria-label={fill(labels.moveDown, { name: own })}
        onClick={() => act(place, { kind: 'move', by: 1, field: 'name' })}
      >
        ↓
      </button>
      <button
        type="button"
        className="plain"
        aria-label={fill(words.removeLine, number)}
        onClick={() => act(place, { kind: 'remove' })}
      >
        ✕
      </button>
      {wrong !== null && (
        <p className="error" id={`${id}-error`} dir="auto">
          {wrong}
        </p>
      )}
      {line.item !== '' && (
        <p className="why">
          <span dir="auto">{fill(words.fromCatalog, { code: line.item })}</span>{' '}
          {line.id === '' && (
            <button
              type="button"
              className="plain"
              aria-label={fill(words.notFromCatalog, number)}
              onClick={() => act(place, { kind: 'set', fields: { item: '' } })}
            >
              ✕
            </button>
          )}
        </p>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary aria-label={fill(words.moreOfLine, number)} dir="auto">
          {told.join(' · ') || words.more}
        </summary>
        {isOpen && <More shown={shown} />}
      </details>
    </li>
  );
}

function Cell({ shown, field, describedBy }: { shown: Shown; field: Field; describedBy: string | undefined }) {
  const { line, place, refused, proposals, act } = shown;
  const words = useInvoicingWords();
  const { fields } = useWords();
  const formats = useFormats();
  const own = FIELDS[field];
  const text = line[own];
  const isNumber = field !== 'name';
  const isWrong = refused === field || (isNumber && text.trim() !== '' && formats.plainNumber(text) === null);
  return (
    <input
      data-field={field}
      className={isNumber ? 'number' : 'name'}
      aria-label={fill(words.ofLine, { field: isNumber ? fields[field] : words.lineName, number: place + 1 })}
      aria-invalid={isWrong}
      aria-describedby={describedBy}
      dir={isNumber ? undefined : 'auto'}
      inputMode={isNumber ? 'decimal' : undefined}
      placeholder={field === 'quantity' ? '1' : isNumber ? undefined : words.lineName}
      autoComplete="off"
      list={isNumber ? undefined : proposals}
      maxLength={255}
      value={text}
      onChange={({ target, nativeEvent }) =>
        act(
          place,
          isNumber
            ? { kind: 'set', fields: { [own]: target.value } }
            : { kind: 'name', name: target.value, isChosen: isChosen(nativeEvent) },
        )
      }
      onBlur={() => {
        const isUnpriced = field === 'name' && line.item === '' && line.unitCost === '' && text !== '';
        if (isUnpriced) act(place, { kind: 'name', name: text, isChosen: true });
      }}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain');
        if (!hasRows(pasted)) return;
        event.preventDefault();
        act(place, { kind: 'paste', text: pasted });
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) act(place, { kind: 'add' });
        else if (event.altKey && by !== 0) act(place, { kind: 'move', by, field });
        else return;
        event.preventDefault();
      }}
    />
  );
}

/** Whether a value was chosen out of proposals: browsers then tell of no typing. */
const isChosen = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === '' || event.inputType === 'insertReplacementText';

/** What few lines have. */
function More({ shown: { line, place, act } }: { shown: Shown }) {
  const words = useInvoicingWords();
  const { fields } = useWords();
  const number = { number: place + 1 };
  const labelOf = (field: string) => fill(words.ofLine, { field, ...number });
  return (
    <div className="more">
      <label>
        {fields.description}
        <textarea
          rows={2}
          dir="auto"
          data-field="description"
          aria-label={labelOf(fields.description)}
          value={line.description}
          onChange={({ target }) => act(place, { kind: 'set', fields: { description: target.value } })}
        />
      </label>
      <AdjustmentsInput
        source="coupon"
        label={labelOf(words.discounts)}
        value={line.discounts}
        change={(discounts) => act(place, { kind: 'set', fields: { discounts } })}
      />
      <AdjustmentsInput
        source="tax_rate"
        label={labelOf(words.taxes)}
        value={line.taxes}
        change={(taxes) => act(place, { kind: 'set', fields: { taxes } })}
      />
    </div>
  );
}
