import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react';
import type { Kind, ListName } from '../kinds/kind.ts';
import type { Own } from './read.ts';

interface Parts {
  Acts?: LazyExoticComponent<ComponentType<Own>>;
  Panels?: LazyExoticComponent<ComponentType<Own>>;
}

/** The acts of documents of a list. */
const documentActs = (list: 'invoices' | 'estimates' | 'credit_notes') =>
  lazy(async () => ({ default: (await import('../documents/acts.tsx')).documentActs(list) }));

/** What only some kinds have on their pages. Each is loaded with the first page that shows it. */
const parts: Readonly<Partial<Record<ListName, Parts>>> = {
  customers: {
    Acts: lazy(async () => ({ default: (await import('../customers/acts.tsx')).CustomerActs })),
    Panels: lazy(async () => ({ default: (await import('../customers/panels.tsx')).CustomerPanels })),
  },
  invoices: {
    Acts: documentActs('invoices'),
    Panels: lazy(async () => ({ default: (await import('../documents/planPanel.tsx')).PlanPanel })),
  },
  estimates: { Acts: documentActs('estimates') },
  credit_notes: { Acts: documentActs('credit_notes') },
  payments: {
    Acts: lazy(async () => ({ default: (await import('../payments/acts.tsx')).PaymentActs })),
    Panels: lazy(async () => ({ default: (await import('../payments/suggestions.tsx')).PaymentSuggestions })),
  },
  disputes: { Panels: lazy(async () => ({ default: (await import('../payments/dispute.tsx')).DisputePanel })) },
  subscriptions: {
    Acts: lazy(async () => ({ default: (await import('../subscriptions/acts.tsx')).SubscriptionActs })),
    Panels: lazy(async () => ({ default: (await import('../subscriptions/panels.tsx')).SubscriptionPanels })),
  },
  tasks: { Acts: lazy(async () => ({ default: (await import('../customers/tasks.tsx')).TaskActs })) },
};

interface Shown extends Own {
  kind: Kind;
}

export function OwnActs({ kind, ...own }: Shown) {
  const part = parts[kind.list];
  return part?.Acts ? (
    <Suspense fallback={<div className="care" />}>
      <part.Acts {...own} />
    </Suspense>
  ) : null;
}

export function OwnPanels({ kind, ...own }: Shown) {
  const part = parts[kind.list];
  return part?.Panels ? (
    <Suspense fallback={null}>
      <part.Panels {...own} />
    </Suspense>
  ) : null;
}
