import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouteContext, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { Answer, Client } from '../../client/index.ts';
import type { ChoiceWords } from '../../words/dashboard/naming.ts';
import { spokenOf } from '../../words/languages.ts';
import type { ColumnTitles } from '../../words/reporting/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { To } from '../home/link.tsx';
import { kindOfList } from '../kinds/all.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import type { Search } from '../lists/state.ts';
import { ErrorNote, NotFound, Problem } from '../shell/problem.tsx';
import { saveFile } from '../shell/taking.tsx';
import { useTitle } from '../shell/title.ts';
import { useOverviewWords, useWords } from '../words.ts';
import type { Formats } from '../written.ts';
import { columnTitles, titleIn } from './columns.ts';
import { isReport, type ReportName } from './names.ts';

type Report = Answer<'get', '/reports/aging'>;
type Column = Report['columns'][number];

const SHOWN = 200;

/** A report by the parameters in the URL, each number with the way to what it adds up. */
export function ReportPage() {
  const { report } = useParams({ from: '/reports/$report' });
  const { titles } = useOverviewWords().report;
  return isReport(titles, report) ? <One key={report} name={report} /> : <NotFound />;
}

/** All reports, by their names. */
export function ReportsPage() {
  const { report } = useOverviewWords();
  useTitle(report.all);
  return (
    <>
      <div className="title">
        <h1>{report.all}</h1>
      </div>
      <section>
        <ul className="reports">
          {Object.entries(report.titles).map(([name, title]) => (
            <li key={name}>
              <Link to="/reports/$report" params={{ report: name }}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const readReport = (api: Client, name: ReportName, query: Search): Promise<Report> =>
  api.get(`/reports/${name}`, Object.assign({}, query));

function One({ name }: { name: ReportName }) {
  const words = useWords();
  const { report: texts } = useOverviewWords();
  const { session } = useRouteContext({ from: '__root__' });
  const search = useSearch({ from: '/reports/$report' });
  const read = useQuery({
    queryKey: ['report', name, search],
    queryFn: ({ signal }) => readReport(session.api.with({ signal }), name, search),
  });
  const title = texts.titles[name];
  useTitle(title);
  return (
    <>
      <div className="title">
        <h1>{title}</h1>
        {read.data && <Span report={read.data} />}
      </div>
      {read.isError && <Problem error={read.error} again={() => read.refetch()} />}
      {read.isPending && <p role="status">{words.loading}</p>}
      {read.data && (
        <>
          <p dir="auto">{read.data.definition.replaceAll('`', '')}</p>
          <div className="tools">
            {Object.entries(search).map(([parameter, value]) => (
              <span key={parameter} className="chip fixed" dir="auto">
                {parameter.replaceAll('_', ' ')}: {value}
              </span>
            ))}
            <div className="right">
              <Csv name={name} search={search} />
            </div>
          </div>
          <Table report={read.data} />
        </>
      )}
    </>
  );
}

const dayOf = (formats: Formats, isoDay: string): string => formats.day(formats.startOf(isoDay));

function Span({ report: { start, end } }: { report: Report }) {
  const { report: texts } = useOverviewWords();
  const formats = useFormats();
  const last = dayOf(formats, end);
  return (
    <p className="count">
      {start === null
        ? fill(texts.atEndOf, { day: last })
        : fill(texts.fromTo, { start: dayOf(formats, start), end: last })}
    </p>
  );
}

function Csv({ name, search }: { name: ReportName; search: Search }) {
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const csv = useMutation({
    mutationFn: () => session.api.bytes(`/reports/${name}`, 'text/csv', Object.assign({}, search)),
    onSuccess: (file) => saveFile(file.bytes, file.name ?? `${name}.csv`),
  });
  return (
    <>
      <Button className="secondary" isPending={csv.isPending} onPress={() => csv.mutate()}>
        {csv.isPending ? words.preparing : words.csv}
      </Button>
      {csv.isError && <ErrorNote error={csv.error} />}
    </>
  );
}

/** The titles of columns in the language of the person; none while they are being loaded. */
function useColumnTitles(): ColumnTitles {
  const { language } = useFormats();
  const read = useQuery({
    queryKey: ['column titles', language],
    queryFn: () => columnTitles[spokenOf([language])](),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return read.data ?? {};
}

/** Columns of ids, and the column that names the same object: it has the link instead. */
const namedBy: Readonly<Record<string, string>> = { customer: 'name', invoice: 'number' };

function Table({ report: { columns, rows, totals } }: { report: Report }) {
  const { report } = useOverviewWords();
  const { method } = useWords().choices;
  const formats = useFormats();
  const texts = { ...report, method };
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

function cellText(
  row: Row,
  { id, type }: Column,
  { formats, texts }: { formats: Formats; texts: { yes: string; no: string; method: ChoiceWords['method'] } },
): string {
  const value = row[id];
  if (value === null || value === undefined) return '';
  const currency = textOf(row, 'currency');
  if (type === 'money' && typeof value === 'number' && currency !== '') return formats.money(value, currency);
  if (typeof value === 'number') return formats.number(value);
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (type === 'day' && /^\d{4}-\d\d-\d\d$/.test(String(value))) return dayOf(formats, String(value));
  const methods: Readonly<Record<string, string>> = id === 'method' ? { ...texts.method } : {};
  return methods[String(value)] ?? String(value);
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
