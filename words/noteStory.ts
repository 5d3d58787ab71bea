import { inLanguage } from './languages.ts';

/** Texts that say what became of a credit note. Each is a sentence, except the labels. */
interface StoryWords {
  /** Label above the sentences. */
  title: string;
  paid: string;
  /** Nothing of the credit is used yet. `pays`: it pays invoices by itself. */
  added: string;
  addedPays: string;
  usedForInvoice: string;
  usedForDeposit: string;
  usedOtherwise: string;
  left: string;
  leftPays: string;
  nothingLeft: string;
  /** All of the note can still be applied; a rest of it. */
  canPay: string;
  restCanPay: string;
  lapsed: string;
  excess: string;
  /** Labels of amounts. */
  otherUses: string;
  lapsedLabel: string;
}

const ar: StoryWords = {
  title: 'استخدام الإشعار الدائن',
  paid: 'تم تخصيص {amount} للفاتورة {number}.',
  added: 'أضيف {amount} إلى رصيدكم الدائن.',
  addedPays: 'أضيف {amount} إلى رصيدكم الدائن، وتُسدَّد منه فواتيركم المفتوحة أو القادمة.',
  usedForInvoice: 'سُدِّدت منه الفاتورة {number} بمبلغ {amount}.',
  usedForDeposit: 'سُدِّدت منه الدفعة المقدمة لعرض السعر {number} بمبلغ {amount}.',
  usedOtherwise: 'استُخدم {amount} بطريقة أخرى.',
  left: 'تبقّى {amount} في رصيدكم الدائن.',
  leftPays: 'تبقّى {amount} في رصيدكم الدائن، وتُسدَّد منه فواتيركم المفتوحة أو القادمة.',
  nothingLeft: 'لم يتبقَّ منه شيء.',
  canPay: 'يمكن استخدامه لدفع فواتيركم.',
  restCanPay: 'لم يُستخدم بعد {amount} من هذا الإشعار الدائن؛ ويمكن استخدامه لدفع فواتير أخرى.',
  lapsed: 'لم يُستخدم {amount} وسقط الحق فيه.',
  excess: 'بالإضافة إلى ذلك، أضيف {amount} إلى رصيدكم الدائن.',
  otherUses: 'استخدامات أخرى',
  lapsedLabel: 'سقط الحق فيه',
};

const de: StoryWords = {
  title: 'Verwendung der Gutschrift',
  paid: '{amount} wurden mit Rechnung {number} verrechnet.',
  added: '{amount} wurden Ihrem Guthaben gutgeschrieben.',
  addedPays:
    '{amount} wurden Ihrem Guthaben gutgeschrieben; damit werden Ihre offenen oder nächsten Rechnungen bezahlt.',
  usedForInvoice: '{amount} davon haben Rechnung {number} bezahlt.',
  usedForDeposit: '{amount} davon haben die Anzahlung zu Angebot {number} bezahlt.',
  usedOtherwise: '{amount} wurden anderweitig verwendet.',
  left: '{amount} sind als Guthaben übrig.',
  leftPays: '{amount} sind als Guthaben übrig; damit werden Ihre offenen oder nächsten Rechnungen bezahlt.',
  nothingLeft: 'Davon ist nichts mehr übrig.',
  canPay: 'Mit ihr können Ihre Rechnungen bezahlt werden.',
  restCanPay: '{amount} dieser Gutschrift sind noch nicht verrechnet; damit können andere Rechnungen bezahlt werden.',
  lapsed: '{amount} wurden nicht verwendet und sind verfallen.',
  excess: 'Außerdem wurden Ihrem Guthaben {amount} gutgeschrieben.',
  otherUses: 'Andere Verwendungen',
  lapsedLabel: 'Verfallen',
};

const en: StoryWords = {
  title: 'Use of the credit',
  paid: '{amount} was applied to invoice {number}.',
  added: '{amount} was added to your credit.',
  addedPays: '{amount} was added to your credit; it pays your open or next invoices.',
  usedForInvoice: '{amount} of it has paid invoice {number}.',
  usedForDeposit: '{amount} of it has paid the deposit of estimate {number}.',
  usedOtherwise: '{amount} has been used otherwise.',
  left: '{amount} is left in your credit.',
  leftPays: '{amount} is left in your credit; it pays your open or next invoices.',
  nothingLeft: 'Nothing of it is left.',
  canPay: 'It can pay your invoices.',
  restCanPay: '{amount} of this credit note is not applied yet; it can pay other invoices.',
  lapsed: '{amount} was not used and has lapsed.',
  excess: 'In addition, {amount} was added to your credit.',
  otherUses: 'Other uses',
  lapsedLabel: 'Lapsed',
};

const es: StoryWords = {
  title: 'Uso del crédito',
  paid: 'Se han aplicado {amount} a la factura {number}.',
  added: 'Se han añadido {amount} a su saldo a favor.',
  addedPays: 'Se han añadido {amount} a su saldo a favor, con el que se pagan sus facturas pendientes o las próximas.',
  usedForInvoice: 'Con {amount} de ese importe se ha pagado la factura {number}.',
  usedForDeposit: 'Con {amount} de ese importe se ha pagado el depósito del presupuesto {number}.',
  usedOtherwise: 'Se han utilizado {amount} para otros fines.',
  left: 'Quedan {amount} en su saldo a favor.',
  leftPays: 'Quedan {amount} en su saldo a favor, con el que se pagan sus facturas pendientes o las próximas.',
  nothingLeft: 'No queda nada de ese importe.',
  canPay: 'Puede pagar sus facturas con ella.',
  restCanPay: 'De esta nota de crédito, {amount} aún no se han aplicado; con ellos se pueden pagar otras facturas.',
  lapsed: '{amount} no se han utilizado y han caducado.',
  excess: 'Además, se han añadido {amount} a su saldo a favor.',
  otherUses: 'Otros usos',
  lapsedLabel: 'Caducado',
};

const fr: StoryWords = {
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

const he: StoryWords = {
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

const ja: StoryWords = {
  title: 'クレジットの使途',
  paid: '{amount}を請求書{number}に充当しました。',
  added: '{amount}をお客様のクレジット残高に追加しました。',
  addedPays: '{amount}をお客様のクレジット残高に追加しました。未払いまたは次回以降の請求書のお支払いに充てられます。',
  usedForInvoice: 'うち{amount}は請求書{number}のお支払いに使われました。',
  usedForDeposit: 'うち{amount}は見積書{number}の手付金のお支払いに使われました。',
  usedOtherwise: '{amount}はその他の目的に使われました。',
  left: 'クレジット残高に{amount}が残っています。',
  leftPays: 'クレジット残高に{amount}が残っています。未払いまたは次回以降の請求書のお支払いに充てられます。',
  nothingLeft: '残額はありません。',
  canPay: '請求書のお支払いにご利用いただけます。',
  restCanPay:
    'このクレジットノートのうち{amount}はまだ充当されていません。ほかの請求書のお支払いにご利用いただけます。',
  lapsed: '{amount}は使われずに失効しました。',
  excess: 'このほか、{amount}をお客様のクレジット残高に追加しました。',
  otherUses: 'その他の使途',
  lapsedLabel: '失効',
};

const zh: StoryWords = {
  title: '贷记单的使用情况',
  paid: '{amount} 已用于账单 {number}。',
  added: '{amount} 已计入您的贷方余额。',
  addedPays: '{amount} 已计入您的贷方余额，将用于支付您未付或今后的账单。',
  usedForInvoice: '其中 {amount} 已支付账单 {number}。',
  usedForDeposit: '其中 {amount} 已支付报价单 {number} 的定金。',
  usedOtherwise: '{amount} 已作其他用途。',
  left: '您的贷方余额中还剩 {amount}。',
  leftPays: '您的贷方余额中还剩 {amount}，将用于支付您未付或今后的账单。',
  nothingLeft: '已无剩余。',
  canPay: '可用于支付您的账单。',
  restCanPay: '此贷记单尚有 {amount} 未使用，可用于支付其他账单。',
  lapsed: '{amount} 未使用，已失效。',
  excess: '此外，{amount} 已计入您的贷方余额。',
  otherUses: '其他用途',
  lapsedLabel: '已失效',
};

/** The texts about what became of a credit note. English if they are not translated into a language. */
export function storyWordsOf(language: string): StoryWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
