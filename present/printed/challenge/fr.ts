import type { ChallengeWords } from './wording.ts';

export const fr: ChallengeWords = {
  bank: 'Banque de test',
  authenticateTitle: 'Confirmer',
  question: 'Est-ce bien vous ?',
  why: 'Ici, la banque de la carte demande à son client de s’authentifier. Cette page en tient lieu.',
  payment: 'Paiement',
  saveCard: 'Enregistrer une carte',
  noCharge: 'Aucun débit',
  authenticate: 'Confirmer',
  fail: 'Refuser',
  endedTitle: 'Cette demande est terminée',
  endedWhy: 'Elle a déjà reçu une réponse, ou elle a attendu trop longtemps.',
  back: 'Retour',
  missingTitle: 'Il n’y a rien ici',
  missingWhy: 'L’adresse n’est pas complète.',
  foreignTitle: 'Refusé',
  foreignWhy: 'La réponse provient d’un autre site.',
};
