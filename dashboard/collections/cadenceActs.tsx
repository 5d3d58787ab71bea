import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { ActForm } from '../objects/acts.tsx';
import { can } from '../session.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSingle } from '../shell/single.ts';
import { useFormWords } from '../words.ts';
import { type Cadence, type CadenceList, cadencesKey, type InvoiceCadence } from './cadences.ts';
import { useCollectingWords } from './words.ts';

interface Shown {
  list: CadenceList;
  cadence: Cadence | InvoiceCadence;
  /** Goes on once it is deleted. `told`: what is to be told. */
  deleted(told: string): void;
}

/** What a person can do to a cadence: change, pause, resume and delete it. */
export function CadenceActs({ list, cadence, deleted }: Shown) {
  const words = useCollectingWords();
  const { edit } = useFormWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const single = useSingle();
  const [isDeleting, setDeleting] = useState(false);
  const { id, name, paused } = cadence;
  const isOfCustomers = list === 'chasing_cadences';
  const pausing = useMutation({
    mutationFn: async (body: { paused: boolean }) => {
      await (isOfCustomers
        ? session.api.patch('/chasing_cadences/{id}', body, { id })
        : session.api.patch('/invoice_chasing_cadences/{id}', body, { id }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: cadencesKey(list) }),
  });
  if (!can(me, 'collections.write')) return null;
  const params = { id: String(id) };
  return (
    <>
      <Link
        className="button secondary"
        to={isOfCustomers ? '/collections/cadences/$id/edit' : '/collections/invoice_cadences/$id/edit'}
        params={params}
      >
        {edit}
      </Link>
      <Button
        className="secondary"
        aria-label={fill(paused ? words.resumeOf : words.pauseOf, { name })}
        isPending={pausing.isPending}
        onPress={() => single(() => pausing.mutateAsync({ paused: !paused }))}
      >
        {paused ? words.resume : words.pause}
      </Button>
      <Button className="secondary" aria-label={`${words.remove.act}: ${name}`} onPress={() => setDeleting(true)}>
        {words.remove.act}
      </Button>
      {pausing.isError && <ErrorNote error={pausing.error} />}
      {isDeleting && (
        <ActForm
          words={words.remove}
          about={`${list}/${id}/delete`}
          named={name}
          begun={{ row: { ...cadence }, etag: null, id: String(id), close: () => setDeleting(false), tell: deleted }}
          isGrave
          save={({ api }) =>
            isOfCustomers
              ? api.delete('/chasing_cadences/{id}', { id })
              : api.delete('/invoice_chasing_cadences/{id}', { id })
          }
        />
      )}
    </>
  );
}
