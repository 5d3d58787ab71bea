import { Link } from '@tanstack/react-router';
import { useReceivingWords } from './words.ts';

/** Ways from the list of payments to matching and to bank statements. */
export function Ways() {
  const words = useReceivingWords();
  return (
    <>
      <Link className="button secondary" to="/payments/match">
        {words.match}
      </Link>
      <Link className="button secondary" to="/payments/import">
        {words.statement.title}
      </Link>
    </>
  );
}
