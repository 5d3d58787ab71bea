import { Button } from 'react-aria-components';
import { ApiError } from '../../client/index.ts';
import { useWords } from '../words.ts';

/** What stands in the place of something that could not be loaded. */
export function Problem({ error, again }: { error: unknown; again: () => void }) {
  const words = useWords();
  const isForbidden = error instanceof ApiError && error.status === 403;
  const isMissing = error instanceof ApiError && error.status === 404;
  const title = isForbidden ? words.forbidden : isMissing ? words.notFound : words.failed;
  return (
    <div className="problem" role="alert">
      <h2>{title}</h2>
      {error instanceof Error && <p>{error.message}</p>}
      {!isForbidden && !isMissing && (
        <Button className="button" onPress={again}>
          {words.tryAgain}
        </Button>
      )}
    </div>
  );
}
