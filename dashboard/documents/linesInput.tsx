import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { memo, type RefObject, useId, useRef, useState } from 'react';
import type { Answer } from '../../client/index.ts';
import { fill, fillCount } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Entered } from '../forms/field.ts';
import { can } from '../session.ts';
import { useWords } from '../words.ts';
import { digitsOf, type Formats } from '../written.ts';
import { useForeseen } from './foreseen.ts';
import { type Change, LineRow } from './lineRow.tsx';
import {
  filledIn,
  isBlank,
  type Line,
  type Lines,
  lineAt,
  MOST_LINES,
  moved,
  newLine,
  pastedLines,
  rowsIn,
} from './lines.ts';
import { useInvoicingWords } from './words.ts';

type CatalogItem = Answer<'get', '/items'>[number];

interface Shown {
  label: string;
  value: Entered;
  change(value: Lines): void;
  /** What the API refuses, and why: `items[3][unit_cost]`. */
  param: string | null;
  error: string | null;
}

/** A change of one line draws no other. */
const Row = memo(LineRow);

/** The lines of a document: typed, taken from the catalog, or pasted from a spreadsheet. */
export function LinesInput({ label, value, change, param, error }: Shown) {
  const words = useInvoicingWords();
  const { fields } = useWords();
  const list = useRef<HTMLOListElement>(null);
  const [typed, setTyped] = useState('');
  const proposals = useId();
  const items = useItems(typed);
  const { amounts, currency } = useForeseen();
  const entered: Lines = typeof value === 'object' && 'lines' in value ? value : { lines: [] };
  const { lines } = entered;
  const refused = lineAt(param);
  const refusedKey = refused && filledIn(entered)[refused.place]?.key;

  const { told, act } = useActs({ lines, change, list, items, name: setTyped });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
    <div role="group" aria-label={label} className="document-lines">
      <div className="heads" aria-hidden="true">
        <span>{words.lineName}</span>
        <span>{fields.quantity}</span>
        <span>{fields.unit_cost}</span>
        <span>{fields.amount}</span>
      </div>
      <ol ref={list}>
        {lines.map((line, place) => (
          <Row
            key={line.key}
            line={line}
            place={place}
            amount={amounts.get(line.key) ?? null}
            currency={currency}
            refused={line.key === refusedKey ? (refused?.field ?? null) : null}
            error={line.key === refusedKey ? error : null}
            proposals={proposals}
            act={act}
          />
        ))}
      </ol>
      <datalist id={proposals}>
        {items.map((item) => (
          <option key={item.id} value={proposalOf(item, items)}>
            {item.id}
          </option>
        ))}
      </datalist>
      <button type="button" className="secondary" onClick={() => act(lines.length - 1, { kind: 'add' })}>
        {words.addLine}
      </button>
      <p className="hint">{words.linesHint}</p>
      <p role="status" className="pasted">
        {told}
      </p>
      {error !== null && refusedKey == null && (
        <p className="error" dir="auto">
          {error}
        </p>
      )}
    </div>
  );
}

interface Acting {
  lines: readonly Line[];
  items: readonly CatalogItem[];
  list: RefObject<HTMLOListElement | null>;
  change(value: Lines): void;
  /** A name was typed. */
  name(text: string): void;
}

/** What is done to lines, as one function that stays the same, and what is told about it. */
function useActs({ lines, items, list, change, name }: Acting) {
  const words = useInvoicingWords();
  const formats = useFormats();
  const [told, setTold] = useState('');
  const focusOn = (place: number, field: string) =>
    requestAnimationFrame(() =>
      list.current?.children[place]?.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus(),
    );
  const paste = (place: number, text: string) => {
    const tooMany = (count: number) =>
      setTold(fill(words.tooMany, { count: formats.number(count), most: formats.number(MOST_LINES) }));
    const pasted = pastedLines(text, formats);
    if (pasted === null) return rowsIn(text) > MOST_LINES ? tooMany(rowsIn(text)) : setTold(words.unclear);
    const into = lines[place];
    const isInto = into !== undefined && isBlank(into);
    const count = pasted.length;
    if (lines.length + count - (isInto ? 1 : 0) > MOST_LINES) return tooMany(count);
    change({ lines: lines.toSpliced(isInto ? place : place + 1, isInto ? 1 : 0, ...pasted) });
    setTold(fillCount(words.pasted, { language: formats.language, count }, { count: formats.number(count) }));
  };
  const act = (place: number, what: Change) => {
    const line = lines[place];
    setTold('');
    if (!line) return;
    switch (what.kind) {
      case 'name':
        name(what.name);
        return change({
          lines: lines.with(
            place,
            what.isChosen ? chosen(line, what.name, { items, formats }) : { ...line, name: what.name },
          ),
        });
      case 'set':
        return change({ lines: lines.with(place, { ...line, ...what.fields }) });
      case 'move':
        change({ lines: moved(lines, place, what.by) });
        return focusOn(Math.min(lines.length - 1, Math.max(0, place + what.by)), what.field);
      case 'remove':
        change({ lines: lines.length > 1 ? lines.toSpliced(place, 1) : [newLine()] });
        return focusOn(Math.max(0, place - 1), 'name');
      case 'add':
        if (lines.length < MOST_LINES) change({ lines: lines.toSpliced(place + 1, 0, newLine()) });
        return focusOn(place + 1, 'name');
      case 'paste':
        return paste(place, what.text);
    }
  };
  const latest = useRef(act);
  latest.current = act;
  const [stable] = useState(() => (place: number, what: Change) => latest.current(place, what));
  return { told, act: stable };
}

/** The items of the catalog that fit what is typed into a line. */
function useItems(text: string): readonly CatalogItem[] {
  const { session, me } = useRouteContext({ from: '__root__' });
  const found = useQuery({
    queryKey: ['catalog items', text.trim()],
    queryFn: () =>
      session.api.get('/items', { per_page: 20, ...(text.trim() === '' ? {} : { search: text.trim().slice(0, 100) }) }),
    enabled: can(me, 'catalog.read'),
    placeholderData: keepPreviousData,
  });
  return found.data ?? [];
}

/** What the list of proposals has for an item: its name, with its id where others have the same name. */
const proposalOf = ({ id, name }: CatalogItem, items: readonly CatalogItem[]): string =>
  items.some((one) => one.name === name && one.id !== id) ? `${name} · ${id}` : name;

/** A line for a proposal that was chosen: with the name, the price and the taxes of the item. */
function chosen(
  line: Line,
  text: string,
  { items, formats }: { items: readonly CatalogItem[]; formats: Formats },
): Line {
  const item = line.id === '' ? items.find((one) => proposalOf(one, items) === text) : undefined;
  if (!item) return { ...line, name: text };
  const { id, name, unit_cost: cost, description, taxes } = item;
  return {
    ...line,
    name,
    item: id,
    description: line.description || (description ?? ''),
    unitCost: formats.typedNumber(digitsOf(cost)),
    taxes: taxes.map((rate) => ({ id: '', code: rate.id, name: rate.name, amount: '' })),
  };
}
