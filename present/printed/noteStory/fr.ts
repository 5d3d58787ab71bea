import type { StoryWords } from './wording.ts';

export const fr: StoryWords = {
  title: 'Utilisation de l’avoir',
  paid: '{amount} ont été affectés à la facture {number}.',
  added: '{amount} ont été ajoutés à votre solde créditeur.',
  addedPays: '{amount} ont été ajoutés à votre solde créditeur, qui règle vos factures en cours ou les prochaines.',
  usedForInvoice: '{amount} de cette somme ont réglé la facture {number}.',
  usedForDeposit: '{amount} de cette somme ont réglé l’acompte du devis {number}.',
  usedOtherwise: '{amount} ont été utilisés autrement.',
  left: 'Il reste {amount} dans votre solde créditeur.',
  leftPays: 'Il reste {amount} dans votre solde créditeur, qui règle vos factures en cours ou les prochaines.',
  nothingLeft: 'Il n’en reste rien.',
  canPay: 'Il peut régler vos factures.',
  restCanPay: '{amount} de cet avoir ne sont pas encore imputés ; ils peuvent régler d’autres factures.',
  lapsed: '{amount} n’ont pas été utilisés et sont perdus.',
  excess: 'De plus, {amount} ont été ajoutés à votre solde créditeur.',
  otherUses: 'Autres utilisations',
  lapsedLabel: 'Perdu',
};
