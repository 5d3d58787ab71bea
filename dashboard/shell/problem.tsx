import { Button } from 'react-aria-components';
import { ApiError } from '../../client/index.ts';
import { useWords } from '../words.ts';

/** What stands in the place of something that could not be loaded. */
export function Problem({ error, again }: { error: unknown; again: () => void }) {
  const words = useWords();
  const status = error instanceof ApiError ? error.status : null;
  const title = status === 403 ? words.forbidden : status === 404 ? words.notFound : words.failed;
  return (
    <div className="problem" role="alert">
      <h2>{title}</h2>
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

export function NotFound() {
  const words = useWords();
  return (
    <div className="problem" role="alert">
      <h2>{words.notFound}</h2>
    </div>
  );
}
