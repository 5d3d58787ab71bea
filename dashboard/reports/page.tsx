import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouteContext, useSearch } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import type { Client } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Search } from '../lists/state.ts';
import { ErrorNote, NotFound, Problem } from '../shell/problem.tsx';
import { saveFile } from '../shell/taking.tsx';
import { useTitle } from '../shell/title.ts';
import { useOverviewWords, useWords } from '../words.ts';
import { titleIn } from './columns.ts';
import { isReport, type ReportName } from './names.ts';
import { codeIn, definitionIn, parameterIn } from './prose.ts';
import { dayOf, type Report, Table, useColumnTitles, useReportProse } from './table.tsx';

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
          <Definition name={name} report={read.data} />
          <div className="tools">
            <Parameters search={search} />
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

/** What the numbers mean. Names of columns and of their values are told as the table has them. */
function Definition({ name, report: { definition, columns } }: { name: ReportName; report: Report }) {
  const { titles: reportTitles } = useOverviewWords().report;
  const prose = useReportProse();
  const titles = useColumnTitles();
  if (prose === undefined) return null;
  const wordOf = (code: string): string => {
    const column = columns.find(({ id }) => id === code);
    if (column) return titleIn(titles, column.title);
    if (isReport(reportTitles, code)) return reportTitles[code];
    return code.includes('=') ? code : codeIn(prose, code);
  };
  return (
    <p dir="auto">
      {definitionIn(prose, name, definition)
        .split('`')
        .map((part, place) => (place % 2 ? <b key={place}>{wordOf(part)}</b> : part))}
    </p>
  );
}

function Parameters({ search }: { search: Search }) {
  const { method, paymentFailure } = useWords().choices;
  const { ages } = useOverviewWords().home;
  const formats = useFormats();
  const prose = useReportProse();
  if (prose === undefined) return null;
  const shared = { method: { ...method }, paymentFailure: { ...paymentFailure }, ages: { ...ages } };
  return Object.entries(search).map(([name, value]) => (
    <span key={name} className="chip fixed" dir="auto">
      {parameterIn(prose, [name, String(value)], { formats, shared })}
    </span>
  ));
}

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
