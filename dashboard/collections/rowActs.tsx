import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { fill } from '../../words/text.ts';
import { kindOfList } from '../kinds/all.ts';
import { Acts, type Offered } from '../objects/acts.tsx';
import { type Own, objectKey, readObject } from '../objects/read.ts';
import { can } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useWords } from '../words.ts';
import { useCollectingWords } from './words.ts';

interface Shown {
  list: 'customers' | 'invoices';
  id: string;
  name: string;
  /** What can be done to the object as it is now. */
  offered(own: Own): readonly Offered[];
  /** The permissions of which one is needed for any of it. */
  permissions: readonly string[];
}

/** What can be done to an object of a row. It is read once its acts are asked for. */
export function RowActs({ list, id, name, offered, permissions }: Shown) {
  const { standing: words } = useCollectingWords();
  const { loading } = useWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const [isOpen, setOpen] = useState(false);
  const kind = kindOfList(list);
  const read = useQuery({
    queryKey: kind ? objectKey(kind, id) : [list, id],
    queryFn: () => (kind ? readObject(session, { kind, id }) : null),
    enabled: isOpen,
  });
  if (!kind || !can(me, `${kind.area}.read`) || !permissions.some((one) => can(me, one))) return null;
  return (
    <details className="row-acts" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={fill(words.actsOf, { name })}>{words.acts}</summary>
      {read.isError && <ErrorNote error={read.error} />}
      {isOpen && read.isPending && <p role="status">{loading}</p>}
      {isOpen && read.data && (
        <Suspense fallback={<p role="status">{loading}</p>}>
          <Acts own={{ ...read.data, id }} offered={offered({ ...read.data, id })} />
        </Suspense>
      )}
    </details>
  );
}
