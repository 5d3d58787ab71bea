import { useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { can } from '../session.ts';
import { useWords } from '../words.ts';

const Match = lazy(async () => ({ default: (await import('./matchPage.tsx')).MatchPage }));
const Import = lazy(async () => ({ default: (await import('./importPage.tsx')).ImportPage }));
const Ways = lazy(async () => ({ default: (await import('./ways.tsx')).Ways }));

export function MatchPage() {
  const words = useWords();
  return (
    <Suspense fallback={<p role="status">{words.loading}</p>}>
      <Match />
    </Suspense>
  );
}

export function ImportPage() {
  const words = useWords();
  return (
    <Suspense fallback={<p role="status">{words.loading}</p>}>
      <Import />
    </Suspense>
  );
}

/** Ways from the list of payments to matching and to bank statements. */
export function PaymentWays() {
  const { me } = useRouteContext({ from: '__root__' });
  if (!can(me, 'payments.write')) return null;
  return (
    <Suspense fallback={null}>
      <Ways />
    </Suspense>
  );
}
