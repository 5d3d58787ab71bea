import {
  columnResizingFeature,
  columnSizingFeature,
  type Header,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo } from 'react';
import { fill } from '../../words/text.ts';
import { type Field, type Form, type Kind, labelOf, type Row } from '../kinds/kind.ts';
import { useWords } from '../words.ts';
import { type Column, NARROWEST, nextSort, type Search, sortOf, WIDEST, withColumns } from './state.ts';

const TITLE = 'title';
const TITLE_PIXELS = 190;
/** The usual columns of every list fit on a screen of 1280 pixels. */
const COLUMN_PIXELS: Readonly<Partial<Record<Form, number>>> = {
  time: 190,
  day: 130,
  money: 120,
  reference: 160,
  choice: 125,
  number: 100,
};
const USUAL_PIXELS = 130;
/** The head of such a column names the currency, and a cell can have several amounts. */
const BY_CURRENCY_PIXELS: Readonly<Partial<Record<Form, number>>> = { money: 160, day: 150 };
/** How far an arrow key moves the edge of a column. */
const STEP_PIXELS = 20;

const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
const NO_ROWS: Row[] = [];

interface HeadShown {
  kind: Kind;
  search: Search;
  change(search: Search): void;
  columns: readonly Column[];
  /** What stands above the boxes that select rows. */
  children: ReactNode;
}

/** The heads of a list: they sort it, and their edges change the width of the columns. */
export function Head({ kind, search, change, columns, children }: HeadShown) {
  const sizes = columns.map(({ field, width }) => `${field.name}:${width ?? ''}`).join();
  const sizing = useMemo(
    () => Object.fromEntries(columns.flatMap(({ field, width }) => (width ? [[field.name, width]] : []))),
    [sizes],
  );
  const defs = useMemo(
    () => [
      { id: TITLE, size: TITLE_PIXELS, accessorFn: () => '' },
      ...columns.map(({ field }) => ({
        id: field.name,
        size: usualPixels(field),
        accessorFn: () => '',
      })),
    ],
    [sizes],
  );
  const resize = (widths: Readonly<Record<string, number>>) => {
    const resized = columns.map(({ field, width }) => ({ field, width: bounded(widths[field.name] ?? width) }));
    change(withColumns(search, resized));
  };
  const table = useTable({
    features,
    columns: defs,
    data: NO_ROWS,
    columnResizeMode: 'onEnd',
    columnResizeDirection: document.dir === 'rtl' ? 'rtl' : 'ltr',
    defaultColumn: { minSize: NARROWEST, maxSize: WIDEST },
    state: { columnSizing: sizing },
    onColumnSizingChange: (updater) => resize(typeof updater === 'function' ? updater(sizing) : updater),
  });
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const [first] = kind.fields;
  const fields = first ? [first, ...columns.map(({ field }) => field)] : [];
  return (
    <>
      <colgroup>
        <col className="check" />
        {headers.map((header) => (
          <col key={header.id} style={{ width: header.getSize() }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <td className="check">{children}</td>
          {fields.map((field, place) => (
            <ColumnHead key={field.name} kind={kind} search={search} change={change} field={field}>
              {place > 0 && headers[place] && <Edge field={field} header={headers[place]} resize={resize} />}
            </ColumnHead>
          ))}
        </tr>
      </thead>
    </>
  );
}

const usualPixels = ({ form, byCurrency, pixels }: Field): number =>
  pixels ?? (byCurrency ? BY_CURRENCY_PIXELS[form] : COLUMN_PIXELS[form]) ?? USUAL_PIXELS;

/** The width that a list needs for its columns, without that of the boxes that select rows. */
export const pixelsOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { field, width }) => sum + (width ?? usualPixels(field)), TITLE_PIXELS);

const bounded = (width: number | null): number | null =>
  width === null ? null : Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));

function ColumnHead({ kind, search, change, field, children }: Omit<HeadShown, 'columns'> & { field: Field }) {
  const words = useWords();
  const name = labelOf(field, words.fields);
  const sort = sortOf(kind, search);
  const isBy = sort !== null && sort.by === field.sort;
  const direction = isBy ? (sort.isDescending ? 'descending' : 'ascending') : undefined;
  const next = nextSort(field, sort);
  return (
    <th scope="col" className={field.form} aria-sort={direction}>
      {field.sort ? (
        <button
          type="button"
          className="sort"
          onClick={() => change({ ...search, sort: `${next.by} ${next.isDescending ? 'desc' : 'asc'}` })}
        >
          {name}
          <span aria-hidden="true">{direction === undefined ? '' : direction === 'descending' ? ' ↓' : ' ↑'}</span>
        </button>
      ) : (
        name
      )}
      {children}
    </th>
  );
}

/** The edge of a column: dragged, or moved by the arrow keys. */
function Edge({
  field,
  header,
  resize,
}: {
  field: Field;
  header: Header<typeof features, Row>;
  resize(widths: Readonly<Record<string, number>>): void;
}) {
  const words = useWords();
  const start = header.getResizeHandler();
  const width = header.getSize();
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element of HTML is a separator that can be moved
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={fill(words.resize, { name: labelOf(field, words.fields) })}
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      tabIndex={0}
      className="edge"
      onMouseDown={start}
      onTouchStart={start}
      onKeyDown={({ key }) => {
        const grows = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
        if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
        resize({ [field.name]: width + (key === grows ? STEP_PIXELS : -STEP_PIXELS) });
      }}
    />
  );
}
