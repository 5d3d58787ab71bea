import { Link, useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../client/index.ts';
import type { ReportTitles } from '../../words/overview/wording.ts';
import { kindOfList } from '../kinds/all.ts';
import type { ListName } from '../kinds/kind.ts';
import { type Search, searchIn } from '../lists/state.ts';
import { apiOf } from '../place.ts';
import { isReport, type ReportName } from '../reports/names.ts';
import { API_VERSION, can, type Me } from '../session.ts';
import { CopyButton } from '../shell/taking.tsx';
import { useOverviewWords, useWords } from '../words.ts';

export type Home = Answer<'get', '/home'>;

/** The request that lists what a number counts. */
export type ApiLink = NonNullable<Home['open']>['currencies'][number]['link'];

type Page =
  | { name: 'list'; list: ListName; search: Search }
  | { name: 'report'; report: ReportName; search: Search }
  | { name: 'problems' };

/** The page that shows what a request lists; null: there is none, or the person may not read it. */
export function pageOf({ path, query }: ApiLink, me: Me, titles: ReportTitles): Page | null {
  const search = searchIn(query);
  const [, first = '', report = ''] = path.split('/');
  const kind = kindOfList(first);
  if (kind && report === '') return can(me, `${kind.area}.read`) ? { name: 'list', list: kind.list, search } : null;
  if (first === 'reports' && isReport(titles, report))
    return can(me, 'reports.read') ? { name: 'report', report, search } : null;
  if (first === 'problems') return can(me, 'collections.read') ? { name: 'problems' } : null;
  return null;
}

/** A number that leads to its documents. Without a page of theirs, it stays a number. */
export function To({ link, children }: { link: ApiLink | null; children: ReactNode }) {
  const { me } = useRouteContext({ from: '__root__' });
  const { report } = useOverviewWords();
  const page = link && pageOf(link, me, report.titles);
  switch (page?.name) {
    case 'list':
      return (
        <Link to="/$list" params={{ list: page.list }} search={page.search}>
          {children}
        </Link>
      );
    case 'report':
      return (
        <Link to="/reports/$report" params={{ report: page.report }} search={page.search}>
          {children}
        </Link>
      );
    case 'problems':
      return <Link to="/problems">{children}</Link>;
    default:
      return children;
  }
}

/** A request that does or shows what has no page yet. `body`: what it sends, as JSON. */
export function ApiCall({ method, path, body }: { method: string; path: string; body?: string }) {
  const words = useWords();
  const { place } = useRouteContext({ from: '__root__' });
  const url = `${apiOf(place, location.origin)}${path}`;
  const sent = body === undefined ? '' : ` -X ${method} -H 'Content-Type: application/json' -d '${body}'`;
  const curl = `curl '${url}' -u "$API_KEY:" -H 'Api-Version: ${API_VERSION}'${sent}`;
  return (
    <div className="call">
      <code dir="ltr">
        {method} {path} {body}
      </code>
      <CopyButton className="secondary" text={curl} label={words.copy} />
    </div>
  );
}
