import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../client/index.ts';
import { useFormWords, useWords } from '../words.ts';
import { useTitle } from './title.ts';

interface Shown {
  error: unknown;
  again: () => void;
}

/** What stands in the place of a part of a page that could not be loaded. */
export function Problem({ error, again }: Shown) {
  return <Failed error={error} again={again} title={<h2>{useProblemTitle(error)}</h2>} />;
}

/** What stands in the place of a page that could not be loaded. */
export function PageProblem({ error, again }: Shown) {
  const title = useProblemTitle(error);
  useTitle(title);
  return <Failed error={error} again={again} title={<h1>{title}</h1>} />;
}

function useProblemTitle(error: unknown): string {
  const words = useWords();
  const status = error instanceof ApiError ? error.status : null;
  return status === 403 ? words.forbidden : status === 404 ? words.notFound : words.failed;
}

function Failed({ error, again, title }: Shown & { title: ReactNode }) {
  const words = useWords();
  const status = error instanceof ApiError ? error.status : null;
  return (
    <div className="problem" role="alert">
      {title}
      {error instanceof Error && <p dir="auto">{error.message}</p>}
      {status !== 403 && status !== 404 && (
        <Button className="secondary" onPress={again}>
          {words.tryAgain}
        </Button>
      )}
    </div>
  );
}

/** Why something that a person did was refused. */
export function ErrorNote({ error }: { error: unknown }) {
  return (
    <p className="error" role="alert" dir="auto">
      {error instanceof Error ? error.message : String(error)}
    </p>
  );
}

/** Why the API refuses what a form sent. It takes the focus, so that nobody misses it. */
export function Refused({ error }: { error: Error }) {
  const words = useFormWords();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [error]);
  const param = error instanceof ApiError ? error.param : null;
  return (
    <div className="summary" role="alert" tabIndex={-1} ref={place}>
      <strong>{words.notSaved}</strong>
      <p dir="auto">{error.message}</p>
      {param !== null && <small dir="ltr">{param}</small>}
    </div>
  );
}

/** The page of an address that leads to nothing. */
export function NotFound() {
  const words = useWords();
  useTitle(words.notFound);
  return (
    <div className="problem" role="alert">
      <h1>{words.notFound}</h1>
    </div>
  );
}
