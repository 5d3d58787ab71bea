import type { WaitingWords } from './wording.ts';

export const fr: WaitingWords = {
  task: {
    asked: {
      one: 'Elle porte sur {count} facture ouverte. Échéance : {day}.',
      other: 'Elle porte sur {count} factures ouvertes. Première échéance : {day}.',
    },
    owing: 'Le client doit {amount} au-delà de l’échéance.',
    due: 'Elle était prévue pour le {day}.',
    undated: 'Elle n’a pas d’échéance.',
  },
  promise: '{amount} était promis pour le {day} et n’est pas arrivé.',
  line: 'Le client conteste une ligne : {reason}.',
  held: 'Personne ne relance la facture jusqu’au {day}.',
  dispute: 'La banque du payeur retient {amount} : {reason}.',
  evidence: 'Les justificatifs sont attendus au plus tard le {day}.',
  failed: 'Le prélèvement a échoué : {reason}.',
  again: 'Il sera retenté le {day}.',
  over: 'Il ne sera pas retenté.',
  arrived: '{amount} est arrivé le {day} et ne règle encore rien.',
  owed: 'Le client doit {owed}.',
  stranger: 'Il n’appartient à aucun client.',
  problem: '{step} : {message}.',
  tried: { one: '{count} essai depuis le {day}.', other: '{count} essais depuis le {day}.' },
};
