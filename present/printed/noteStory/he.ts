import type { StoryWords } from './wording.ts';

export const he: StoryWords = {
  title: 'השימוש בזיכוי',
  paid: '{amount} קוזזו כנגד חשבונית {number}.',
  added: '{amount} נוספו ליתרת הזכות שלך.',
  addedPays: '{amount} נוספו ליתרת הזכות שלך, והיא משלמת את החשבוניות הפתוחות או הבאות שלך.',
  usedForInvoice: '{amount} מתוכם שילמו את חשבונית {number}.',
  usedForDeposit: '{amount} מתוכם שילמו את המקדמה של הצעת מחיר {number}.',
  usedOtherwise: '{amount} נוצלו בדרך אחרת.',
  left: '{amount} נותרו ביתרת הזכות שלך.',
  leftPays: '{amount} נותרו ביתרת הזכות שלך, והיא משלמת את החשבוניות הפתוחות או הבאות שלך.',
  nothingLeft: 'לא נותר מזה דבר.',
  canPay: 'אפשר לשלם בה את החשבוניות שלך.',
  restCanPay: '{amount} מהודעת זיכוי זו טרם נוצלו; אפשר לשלם בהם חשבוניות אחרות.',
  lapsed: '{amount} לא נוצלו ופקעו.',
  excess: 'בנוסף, {amount} נוספו ליתרת הזכות שלך.',
  otherUses: 'שימושים אחרים',
  lapsedLabel: 'פקע',
};
