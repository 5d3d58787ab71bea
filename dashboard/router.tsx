import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import {
  CollectionsPage,
  EditCadencePage,
  EditInvoiceCadencePage,
  HeldPage,
  NewCadencePage,
  NewInvoiceCadencePage,
  StandPage,
} from './collections/routes.tsx';
import { dropDrafts } from './forms/drafts.ts';
import { AddSourcePage, EditPage, NewPage } from './forms/routes.tsx';
import { HomePage } from './home/page.tsx';
import { ProblemsPage } from './home/problems.tsx';
import { ListPage } from './lists/page.tsx';
import { parseSearch, searchIn, stringifySearch } from './lists/state.ts';
import { ObjectPage } from './objects/page.tsx';
import { ImportPage, MatchPage } from './payments/routes.tsx';
import { type Place, rootOf } from './place.ts';
import { ReportPage, ReportsPage } from './reports/page.tsx';
import { hasEnded, type Session, signInAgain } from './session.ts';
import { Frame } from './shell/frame.tsx';
import { NotFound, PageProblem } from './shell/problem.tsx';

export interface DashboardContext {
  place: Place;
  session: Session;
  queries: QueryClient;
}

const root = createRootRouteWithContext<DashboardContext>()({
  beforeLoad: async ({ context: { session, queries } }) => ({
    me: await queries.ensureQueryData({
      queryKey: ['me'],
      queryFn: async () => {
        const me = await session.me();
        dropDrafts(localStorage, { person: me.email ?? '', now: Date.now() });
        return me;
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  }),
  component: Frame,
  errorComponent: ({ error, reset }) => {
    if (hasEnded(error)) {
      signInAgain();
      return null;
    }
    return <PageProblem error={error} again={reset} />;
  },
});

const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage });

const problems = createRoute({ getParentRoute: () => root, path: '/problems', component: ProblemsPage });

/** Its code, its words and its looks are loaded when it is first shown. */
const Worklist = lazy(async () => ({ default: (await import('./worklist/page.tsx')).WorklistPage }));

const worklist = createRoute({
  getParentRoute: () => root,
  path: '/worklist',
  validateSearch: searchIn,
  component: () => (
    <Suspense fallback={<p role="status" />}>
      <Worklist />
    </Suspense>
  ),
});

const reports = createRoute({ getParentRoute: () => root, path: '/reports', component: ReportsPage });

const report = createRoute({
  getParentRoute: () => root,
  path: '/reports/$report',
  validateSearch: searchIn,
  component: ReportPage,
});

const list = createRoute({
  getParentRoute: () => root,
  path: '/$list',
  validateSearch: searchIn,
  component: ListPage,
});

const match = createRoute({ getParentRoute: () => root, path: '/payments/match', component: MatchPage });

const statement = createRoute({ getParentRoute: () => root, path: '/payments/import', component: ImportPage });

const object = createRoute({ getParentRoute: () => root, path: '/$list/$id', component: ObjectPage });

/** A new object may begin like another one: `from=invoices/7`. */
const newObject = createRoute({
  getParentRoute: () => root,
  path: '/$list/new',
  validateSearch: ({ from }: Record<string, unknown>): { from?: string } =>
    typeof from === 'string' && /^[a-z_]+\/\d+$/.test(from) ? { from } : {},
  component: NewPage,
});

const edit = createRoute({ getParentRoute: () => root, path: '/$list/$id/edit', component: EditPage });

const addSource = createRoute({
  getParentRoute: () => root,
  path: '/customers/$id/add_source',
  component: AddSourcePage,
});

const cadences = createRoute({ getParentRoute: () => root, path: '/collections', component: CollectionsPage });

const held = createRoute({ getParentRoute: () => root, path: '/collections/promises', component: HeldPage });

const newCadence = createRoute({
  getParentRoute: () => root,
  path: '/collections/cadences/new',
  component: NewCadencePage,
});

/** `show`: which of its customers are shown, such as `next:12`. */
const standing = createRoute({
  getParentRoute: () => root,
  path: '/collections/cadences/$id',
  validateSearch: ({ show }: Record<string, unknown>): { show?: string } => (typeof show === 'string' ? { show } : {}),
  component: StandPage,
});

const editCadence = createRoute({
  getParentRoute: () => root,
  path: '/collections/cadences/$id/edit',
  component: EditCadencePage,
});

const newInvoiceCadence = createRoute({
  getParentRoute: () => root,
  path: '/collections/invoice_cadences/new',
  component: NewInvoiceCadencePage,
});

const editInvoiceCadence = createRoute({
  getParentRoute: () => root,
  path: '/collections/invoice_cadences/$id/edit',
  component: EditInvoiceCadencePage,
});

const tree = root.addChildren([
  cadences,
  held,
  standing,
  newCadence,
  editCadence,
  newInvoiceCadence,
  editInvoiceCadence,
  home,
  worklist,
  problems,
  reports,
  report,
  list,
  object,
  newObject,
  edit,
  addSource,
  match,
  statement,
]);

/** The router of one place. Its paths begin with the account and the environment. */
export function createDashboardRouter(context: DashboardContext) {
  return createRouter({
    routeTree: tree,
    basepath: rootOf(context.place),
    context,
    parseSearch,
    stringifySearch,
    defaultNotFoundComponent: NotFound,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
