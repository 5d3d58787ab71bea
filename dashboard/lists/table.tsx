import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useLayoutEffect, useRef, useState } from 'react';
import { fill } from '../../words/text.ts';
import { type Kind, labelOf, type Row } from '../kinds/kind.ts';
import { useWords } from '../words.ts';
import { Head, pixelsOf } from './head.tsx';
import { idOf, PAGE_ROWS, type useRows } from './rows.ts';
import type { Selection } from './selection.ts';
import { type Column, columnsOf, type Search } from './state.ts';
import { isVoided, Marks, titleOf, Value } from './value.tsx';

const ROW_PIXELS = 44;
const CHECK_PIXELS = 44;
/** The bar that says what is selected. */
const BAR_PIXELS = 52;
/** The line around a table. */
const LINE_PIXELS = 1;
/** What may lie over the first rows: the heads of the columns, and what is selected. */
const COVERED_PIXELS = 96;

interface Shown {
  kind: Kind;
  search: Search;
  change(search: Search): void;
  selection: Selection;
  rows: ReturnType<typeof useRows>;
  onSight(numbers: number[]): void;
}

/**
 * The rows of a list in a table of the browser. Only rows in sight are in the page. One row at a time can be reached by Tab: the arrow keys move
 * between rows, Enter opens, and Space selects.
 */
export function ObjectTable({ kind, search, change, selection, rows, onSight }: Shown) {
  const words = useWords();
  const columns = columnsOf(kind, search);
  const frame = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => watchWidth(frame.current, setRoom), []);
  const isWide = pixelsOf(columns) + CHECK_PIXELS > room;
  const isCovered = selection.isAll || selection.ids.size > 0;
  useLayoutEffect(() => (isWide ? keepHead(frame.current, isCovered) : undefined), [isWide, isCovered]);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + scrollY), []);
  const virtual = useWindowVirtualizer({
    count: rows.count,
    estimateSize: () => ROW_PIXELS,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PIXELS,
    getItemKey: (index) => index,
  });
  const inSight = virtual.getVirtualItems();
  const pages = pagesOf(inSight.map(({ index }) => index));
  useLayoutEffect(() => onSight(pages.split(',').map(Number)), [pages, onSight]);
  const before = (inSight[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((inSight.at(-1)?.end ?? top) - top);
  const focusRow = (index: number) => {
    const wanted = Math.max(0, Math.min(rows.count - 1, index));
    setActive(wanted);
    virtual.scrollToIndex(wanted);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${wanted}"] a`)?.focus());
  };
  const onKeyDown = (pressed: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 10,
      PageUp: active - 10,
      Home: 0,
      End: rows.count - 1,
    };
    const row = rows.rowAt(active);
    if (pressed.key === ' ' && row) selection.toggle(idOf(row));
    else if (pressed.key in moves) focusRow(moves[pressed.key] ?? 0);
    else return;
    pressed.preventDefault();
  };
  const shownIds = inSight.flatMap(({ index }): string[] => {
    const row = rows.rowAt(index);
    return row ? [idOf(row)] : [];
  });
  const isAll = shownIds.length > 0 && shownIds.every(selection.has);
  return (
    <div ref={frame} className={isWide ? 'scroll' : 'whole'}>
      <table className="objects" aria-rowcount={rows.count + 1}>
        <Head kind={kind} search={search} change={change} columns={columns}>
          <input
            type="checkbox"
            aria-label={words.selectAll}
            checked={isAll}
            onChange={() => selection.set(shownIds, !isAll)}
          />
        </Head>
        <tbody ref={body} onKeyDown={onKeyDown}>
          <Gap pixels={before} />
          {inSight.map(({ index }) => {
            const row = rows.rowAt(index);
            return row === null ? (
              <tr key={index} className="waiting" style={{ height: ROW_PIXELS }} aria-rowindex={index + 2}>
                <td colSpan={columns.length + 2} />
              </tr>
            ) : (
              <BodyRow
                key={index}
                kind={kind}
                row={row}
                index={index}
                columns={columns}
                isActive={index === active}
                isSelected={selection.has(idOf(row))}
                onFocus={setActive}
                toggle={selection.toggle}
              />
            );
          })}
          <Gap pixels={after} />
        </tbody>
      </table>
    </div>
  );
}

/** Tells the width of an element, now and whenever it changes. */
function watchWidth(element: HTMLElement | null, tell: (pixels: number) => void): () => void {
  const observer = new ResizeObserver(() => tell(element?.clientWidth ?? 0));
  if (element) observer.observe(element);
  return () => observer.disconnect();
}

/** Moves the heads of a table along with the page, if the table scrolls sideways: `sticky` does not reach out of such an element. */
function keepHead(frame: HTMLElement | null, isCovered: boolean): () => void {
  const head = frame?.querySelector('thead');
  const move = () => {
    const pixels = (isCovered ? BAR_PIXELS : 0) - (frame?.getBoundingClientRect().top ?? 0) - LINE_PIXELS;
    if (head) head.style.transform = pixels > 0 ? `translateY(${pixels}px)` : '';
  };
  move();
  addEventListener('scroll', move, { passive: true });
  return () => removeEventListener('scroll', move);
}

/** Rows that are out of sight. */
const Gap = ({ pixels }: { pixels: number }) =>
  pixels > 0 ? (
    <tr className="gap">
      <td style={{ height: pixels }} />
    </tr>
  ) : null;

/** Numbers of the pages that have these rows, as one text. */
function pagesOf(indexes: readonly number[]): string {
  return [...new Set(indexes.map((index) => Math.floor(index / PAGE_ROWS) + 1))].join() || '1';
}

interface BodyRowShown {
  kind: Kind;
  row: Row;
  index: number;
  columns: readonly Column[];
  isActive: boolean;
  isSelected: boolean;
  onFocus(index: number): void;
  toggle(id: string): void;
}

const BodyRow = memo(
  function BodyRow({ kind, row, index, columns, isActive, isSelected, onFocus, toggle }: BodyRowShown) {
    const words = useWords();
    const title = titleOf(kind, row, words.choices);
    return (
      <tr data-row={index} aria-rowindex={index + 2} aria-selected={isSelected} onFocus={() => onFocus(index)}>
        <td className="check">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={fill(words.selectRow, { name: title })}
            checked={isSelected}
            onChange={() => toggle(idOf(row))}
          />
        </td>
        <th scope="row">
          <span className="named">
            <Link to="/$list/$id" params={{ list: kind.list, id: idOf(row) }} tabIndex={isActive ? 0 : -1} dir="auto">
              {title}
            </Link>
            <Marks kind={kind} row={row} />
            {isVoided(kind, row) && <span className="status">{words.fields.voided}</span>}
          </span>
        </th>
        {columns.map(({ field }) => (
          <td key={field.name} className={field.form} data-label={labelOf(field, words.fields)}>
            <Value field={field} row={row} />
          </td>
        ))}
      </tr>
    );
  },
  (one, next) =>
    one.row === next.row &&
    one.index === next.index &&
    one.isActive === next.isActive &&
    one.isSelected === next.isSelected &&
    shownIn(one.columns) === shownIn(next.columns),
);

const shownIn = (columns: readonly Column[]): string =>
  columns.map(({ field: { name, currency } }) => `${name} ${currency}`).join();
