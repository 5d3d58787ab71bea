import { useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useRef } from 'react';
import { fill } from '../../words/text.ts';
import type { Files } from '../forms/field.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useFormWords } from '../words.ts';

interface Shown {
  id: string;
  value: Files;
  change(value: Files): void;
}

/** Files that go with a document. Each is uploaded at once; the document names it when it is saved. */
export function FilesInput({ id, value, change }: Shown) {
  const { removePair, uploading } = useFormWords();
  const { session } = useRouteContext({ from: '__root__' });
  const latest = useRef(value);
  latest.current = value;
  const set = (files: Files['files']) => {
    latest.current = { files };
    change({ files });
  };
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      const waiting = { id: -Date.now(), name: chosen.name };
      set([...latest.current.files, waiting]);
      const others = () => latest.current.files.filter(({ id: one }) => one !== waiting.id);
      try {
        const form = new FormData();
        form.append('file', chosen);
        const { id: stored, name } = await session.api.post('/files', form);
        const isWanted = latest.current.files.some(({ id: one }) => one === waiting.id);
        if (isWanted) set([...others(), { id: stored, name }]);
      } catch (error) {
        set(others());
        throw error;
      }
    },
    scope: { id: 'files of a document' }, // one after the other
  });
  return (
    <div className="adjustments">
      {value.files.map((file) => (
        <p key={`${file.id} ${file.name}`}>
          <span dir="auto">{file.name}</span>
          <button
            type="button"
            className="plain"
            aria-label={fill(removePair, { name: file.name })}
            onClick={() => set(value.files.filter(({ id: one }) => one !== file.id))}
          >
            ✕
          </button>
        </p>
      ))}
      <input
        type="file"
        multiple
        id={id}
        onChange={({ target }) => {
          for (const one of target.files ?? []) upload.mutate(one);
          target.value = '';
        }}
      />
      {upload.isPending && <p role="status">{uploading}</p>}
      {upload.isError && <ErrorNote error={upload.error} />}
    </div>
  );
}
