import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { CustomersPage } from './customers/list.tsx';
import { CustomerPage } from './customers/one.tsx';
import { type Place, rootOf } from './place.ts';
import { hasEnded, type Session, signInAgain } from './session.ts';
import { Frame } from './shell/frame.tsx';
import { Problem } from './shell/problem.tsx';

export interface DashboardContext {
  place: Place;
  session: Session;
  queries: QueryClient;
}

const root = createRootRouteWithContext<DashboardContext>()({
  beforeLoad: async ({ context: { session, queries } }) => ({
    me: await queries.ensureQueryData({
      queryKey: ['me'],
      queryFn: () => session.me(),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  }),
  component: Frame,
  errorComponent: ({ error, reset }) => {
    if (hasEnded(error)) {
      signInAgain();
      return null;
    }
    return <Problem error={error} again={reset} />;
  },
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/customers', search: {} });
  },
});

/** The text that a parameter of the URL has; anything else counts as none. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.slice(0, 255)
    : typeof value === 'number'
      ? String(value)
      : undefined;

const customers = createRoute({
  getParentRoute: () => root,
  path: '/customers',
  validateSearch: ({ search }: Record<string, unknown>): { search?: string } => {
    const wanted = text(search);
    return wanted === undefined ? {} : { search: wanted };
  },
  component: CustomersPage,
});

const customer = createRoute({
  getParentRoute: () => root,
  path: '/customers/$id',
  component: CustomerPage,
});

const tree = root.addChildren([home, customers, customer]);

/** The router of one place. Its paths begin with the account and the environment. */
export function createDashboardRouter(context: DashboardContext) {
  return createRouter({
    routeTree: tree,
    basepath: rootOf(context.place),
    context,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
