import { useQuery } from '@tanstack/react-query';
import type { ActingWords } from '../../words/acting/wording.ts';
import { spokenOf } from '../../words/languages.ts';
import { useFormats } from '../formats.ts';
import { actingWords } from './operations.ts';

/** The words for acts and kinds of objects; undefined: they are being loaded. */
export function useActingWords(): ActingWords | undefined {
  const { language } = useFormats();
  return useQuery({
    queryKey: ['acting words', language],
    queryFn: () => actingWords[spokenOf([language])](),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
