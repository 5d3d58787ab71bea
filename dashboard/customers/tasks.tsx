import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { textOf } from '../kinds/kind.ts';
import type { Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useFormWords } from '../words.ts';
import { ActBar } from './act.tsx';
import { CompleteTask, LogCall } from './talking.tsx';

/** What a person can do with a task: complete it, or log the call that completes it. */
export function TaskActs(own: Own) {
  const { row, id } = own;
  const { care } = useFormWords();
  const { me } = useRouteContext({ from: '__root__' });
  const [begun, setBegun] = useState<'completed' | 'call' | null>(null);
  const [told, setTold] = useState('');
  const isOpen = row.complete !== true && can(me, 'collections.write');
  const shown = {
    ...own,
    id: textOf(row, 'customer_id'),
    task: Number(id),
    close: () => setBegun(null),
    tell: setTold,
  };
  return (
    <div className="care">
      <ActBar told={told}>
        {isOpen && (
          <>
            <Button onPress={() => setBegun('completed')}>{care.completed.act}</Button>
            <Button className="secondary" onPress={() => setBegun('call')}>
              {care.call.act}
            </Button>
          </>
        )}
      </ActBar>
      {begun === 'completed' && <CompleteTask {...shown} />}
      {begun === 'call' && <LogCall {...shown} />}
    </div>
  );
}
