import { type ReactNode, useId } from 'react';
import { ErrorNote } from '../shell/problem.tsx';

/** A part of a page, with its title. */
export function Panel({ title, error, children }: { title: string; error?: unknown; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {error ? <ErrorNote error={error} /> : children}
    </section>
  );
}
