import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Row } from '../kinds/kind.ts';
import { Member } from '../lists/value.tsx';
import { canTo, type Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import { Balances } from './balances.tsx';
import { Chasing } from './chasing.tsx';
import { Contacts } from './contacts.tsx';
import { Panel } from './panel.tsx';
import { Sources } from './sources.tsx';
import { CompleteTask } from './talking.tsx';

/** What only customers have on their pages. */
export function CustomerPanels(own: Own) {
  return (
    <>
      <Balances {...own} />
      <Chasing {...own} />
      <OpenTasks {...own} />
      <Notes {...own} />
      <Contacts {...own} />
      <Sources {...own} />
    </>
  );
}

/** What is to be done for the customer. */
function OpenTasks(own: Own) {
  const { care } = useFormWords();
  const words = useWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const { id } = own;
  const [begun, setBegun] = useState<Row | null>(null);
  const [told, setTold] = useState('');
  const isAllowed = can(me, 'collections.read');
  const tasks = useQuery({
    queryKey: ['tasks of', id],
    queryFn: () =>
      session.api.get('/tasks', {
        filter: { customer: Number(id), complete: false },
        sort: 'due_date asc',
        per_page: 20,
      }),
    enabled: isAllowed,
  });
  if (!isAllowed) return null;
  return (
    <Panel title={care.tasks} error={tasks.error}>
      {tasks.data?.length === 0 && <p className="none">{care.noTasks}</p>}
      <ul className="entries">
        {tasks.data?.map((task) => (
          <li key={task.id}>
            <div>
              <strong dir="auto">{task.name}</strong>
              <p className="none">
                {words.choices.taskAction[task.action]}
                {task.due_date !== null && ` · ${fill(care.due, { day: formats.day(task.due_date) })}`}
              </p>
            </div>
            {canTo(me, 'collections.write', own.row) && (
              <Button
                className="secondary"
                aria-label={`${care.completed.act}: ${task.name}`}
                onPress={() => setBegun({ ...task })}
              >
                {care.completed.act}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="told">
        {told}
      </p>
      {begun && <CompleteTask {...own} task={Number(begun.id)} close={() => setBegun(null)} tell={setTold} />}
    </Panel>
  );
}

function Notes({ id }: Own) {
  const { care } = useFormWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const notes = useQuery({
    queryKey: ['notes of', id],
    queryFn: () =>
      session.api.get('/customers/{customer_id}/notes', {
        customer_id: Number(id),
        sort: 'created_at desc',
        per_page: 10,
      }),
  });
  return (
    <Panel title={care.notes} error={notes.error}>
      {notes.data?.length === 0 && <p className="none">{care.noNotes}</p>}
      <ul className="entries">
        {notes.data?.map(({ id: note, notes: text, created_at: at, user }) => (
          <li key={note}>
            <div>
              <p className="words" dir="auto">
                {text}
              </p>
              <p className="none">
                {formats.time(at)}
                {user && ' · '}
                {user && <Member id={String(user)} />}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
