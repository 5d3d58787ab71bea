import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../client/index.ts';
import type { ChoiceWords } from '../../words/dashboard/naming.ts';
import { spokenOf } from '../../words/languages.ts';
import type { ReportProse } from '../../words/reporting/prose/wording.ts';
import type { ColumnTitles } from '../../words/reporting/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { To } from '../home/link.tsx';
import { kindOfList } from '../kinds/all.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { useOverviewWords, useWords } from '../words.ts';
import type { Formats } from '../written.ts';
import { columnTitles, titleIn } from './columns.ts';
import { codeIn, isCoded, reportProse } from './prose.ts';

export type Report = Answer<'get', '/reports/aging'>;
type Column = Report['columns'][number];

export const dayOf = (formats: Formats, isoDay: string): string => formats.day(formats.startOf(isoDay));

const SHOWN = 200;

/** The titles of columns in the language of the person; none while they are being loaded. */
export function useColumnTitles(): ColumnTitles {
  const { language } = useFormats();
  const read = useQuery({
    queryKey: ['column titles', language],
    queryFn: () => columnTitles[spokenOf([language])](),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return read.data ?? {};
}

/** What reports say of themselves in the language of the person; null: in English; undefined while it is being loaded. */
export function useReportProse(): ReportProse | null | undefined {
  const { language } = useFormats();
  const read = useQuery({
    queryKey: ['report prose', language],
    queryFn: () => reportProse[spokenOf([language])](),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return read.data;
}

/** Columns of ids, and the column that names the same object: it has the link instead. */
const namedBy: Readonly<Record<string, string>> = { customer: 'name', invoice: 'number' };

/** The rows of a report, each number with the way to what it adds up. */
export function Table({ report: { columns, rows, totals } }: { report: Report }) {
  const { report } = useOverviewWords();
  const { method, paymentFailure } = useWords().choices;
  const formats = useFormats();
  const prose = useReportProse() ?? null;
  const texts = { ...report, method, paymentFailure, code: (text: string) => codeIn(prose, text) };
  const titles = useColumnTitles();
  const has = (id: string | undefined) => columns.some((column) => column.id === id);
  const hidden = new Set(Object.keys(namedBy).filter((id) => has(id) && has(namedBy[id])));
  const isTold = ({ id, type }: Column) => {
    if (hidden.has(id) || id === 'currency') return false;
    return type !== 'money' || [...rows, ...totals].some((given) => textOf({ ...given }, id) !== '0');
  };
  const shown = columns.filter(isTold).map((column) => ({ ...column, title: titleIn(titles, column.title) }));
  const linkIdOf = (id: string) => [...hidden].find((other) => namedBy[other] === id) ?? id;
  if (rows.length === 0) return <p className="none">{texts.none}</p>;
  return (
    <section>
      <div className="scroll">
        <table className="report">
          <thead>
            <tr>
              {shown.map(({ id, title, type }) => (
                <th key={id} scope="col" className={isFigure(type) ? 'money' : ''}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map((given, place) => {
              const row: Row = { ...given };
              return (
                <tr key={place}>
                  {shown.map((column) => (
                    <td
                      key={column.id}
                      data-label={column.title}
                      className={isFigure(column.type) ? 'money figure' : ''}
                    >
                      <HrefTo href={hrefOf(row, linkIdOf(column.id))}>
                        {cellText(row, column, { formats, texts })}
                      </HrefTo>
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            {totals.map((given) => {
              const row: Row = { ...given };
              return (
                <tr key={textOf(row, 'currency')}>
                  {shown.map((column, place) => (
                    <td
                      key={column.id}
                      data-label={column.title}
                      className={isFigure(column.type) ? 'money figure' : ''}
                    >
                      {place === 0 && row[column.id] === undefined
                        ? texts.total
                        : cellText(row, column, { formats, texts })}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tfoot>
        </table>
      </div>
      {rows.length > SHOWN && (
        <p className="none">
          {fill(texts.firstOf, { shown: formats.number(SHOWN), total: formats.number(rows.length) })}
        </p>
      )}
    </section>
  );
}

const isFigure = (type: Column['type']): boolean => type === 'money' || type === 'number' || type === 'integer';

interface CellTexts extends Pick<ChoiceWords, 'method' | 'paymentFailure'> {
  yes: string;
  no: string;
  /** The word for a value out of a fixed set. */
  code(text: string): string;
}

function cellText(row: Row, { id, type }: Column, { formats, texts }: { formats: Formats; texts: CellTexts }): string {
  const value = row[id];
  if (value === null || value === undefined) return '';
  const currency = textOf(row, 'currency');
  if (type === 'money' && typeof value === 'number' && currency !== '') return formats.money(value, currency);
  if (typeof value === 'number') return formats.number(value);
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (type === 'day' && /^\d{4}-\d\d-\d\d$/.test(String(value))) return dayOf(formats, String(value));
  if (isCoded(id, row)) return texts.code(String(value));
  const ofMethod: Readonly<Record<string, string>> =
    id === 'method' ? { ...texts.method, credit: texts.code('credit') } : {};
  const ofDecline: Readonly<Record<string, string>> = id === 'decline_code' ? { ...texts.paymentFailure } : {};
  return ofMethod[String(value)] ?? ofDecline[String(value)] ?? String(value);
}

function hrefOf({ hrefs }: Row, id: string): string | null {
  const found: Row = typeof hrefs === 'object' && hrefs !== null ? { ...hrefs } : {};
  return textOf(found, id) || null;
}

/** Leads to the object or the report at a path of the API. */
function HrefTo({ href, children }: { href: string | null; children: ReactNode }) {
  if (href === null || children === '') return children;
  const [path = '', query = ''] = href.split('?');
  const [, list = '', id = ''] = path.split('/');
  if (kindOfList(list) && id !== '')
    return (
      <Link to="/$list/$id" params={{ list, id }} dir="auto">
        {children}
      </Link>
    );
  return <To link={{ path, query: Object.fromEntries(new URLSearchParams(query)) }}>{children}</To>;
}
