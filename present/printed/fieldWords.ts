/** Words of the fields for cards and bank accounts. */
export interface FieldWords {
  card: string;
  bankAccount: string;
  cardNumber: string;
  /** With the form in which it is entered. */
  expiry: string;
  securityCode: string;
  routingNumber: string;
  accountNumber: string;
  /** A field is empty or malformed. */
  check: string;
  /** The gateway does not take what was entered. */
  refused: string;
  /** The gateway or the connection did not answer. */
  failed: string;
}

/** Words by language code. */
export const fieldWords: Readonly<Record<string, FieldWords>> = {
  en: {
    card: 'Card',
    bankAccount: 'Bank account',
    cardNumber: 'Card number',
    expiry: 'Expiry (MM/YY)',
    securityCode: 'Security code',
    routingNumber: 'Routing number',
    accountNumber: 'Account number',
    check: 'Please check this field.',
    refused: 'This was not accepted. Please check what you entered.',
    failed: 'This did not work. Please try again.',
  },
  ar: {
    card: 'بطاقة',
    bankAccount: 'حساب بنكي',
    cardNumber: 'رقم البطاقة',
    expiry: 'الانتهاء (شهر/سنة)',
    securityCode: 'رمز الأمان',
    routingNumber: 'رقم التوجيه',
    accountNumber: 'رقم الحساب',
    check: 'يرجى التحقق من هذا الحقل.',
    refused: 'لم يتم قبول البيانات. يرجى التحقق مما أدخلته.',
    failed: 'تعذر إتمام العملية. يرجى المحاولة مرة أخرى.',
  },
  de: {
    card: 'Karte',
    bankAccount: 'Bankkonto',
    cardNumber: 'Kartennummer',
    expiry: 'Gültig bis (MM/JJ)',
    securityCode: 'Prüfnummer',
    routingNumber: 'Bankleitzahl (Routing Number)',
    accountNumber: 'Kontonummer',
    check: 'Bitte prüfen Sie dieses Feld.',
    refused: 'Die Angaben wurden nicht angenommen. Bitte prüfen Sie Ihre Eingabe.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  },
  es: {
    card: 'Tarjeta',
    bankAccount: 'Cuenta bancaria',
    cardNumber: 'Número de tarjeta',
    expiry: 'Caduca (MM/AA)',
    securityCode: 'Código CVC',
    routingNumber: 'Número de ruta bancaria',
    accountNumber: 'Número de cuenta',
    check: 'Compruebe este campo.',
    refused: 'Los datos no se han aceptado. Compruebe lo que ha escrito.',
    failed: 'No ha funcionado. Inténtelo de nuevo.',
  },
  fr: {
    card: 'Carte',
    bankAccount: 'Compte bancaire',
    cardNumber: 'Numéro de carte',
    expiry: 'Validité (MM/AA)',
    securityCode: 'Cryptogramme',
    routingNumber: 'Numéro de routage',
    accountNumber: 'Numéro de compte',
    check: 'Veuillez vérifier ce champ.',
    refused: 'Les données n’ont pas été acceptées. Veuillez vérifier votre saisie.',
    failed: 'Une erreur est survenue. Veuillez réessayer.',
  },
  he: {
    card: 'כרטיס',
    bankAccount: 'חשבון בנק',
    cardNumber: 'מספר כרטיס',
    expiry: 'תוקף (חודש/שנה)',
    securityCode: 'קוד אבטחה',
    routingNumber: 'מספר ניתוב',
    accountNumber: 'מספר חשבון',
    check: 'נא לבדוק את השדה הזה.',
    refused: 'הפרטים לא התקבלו. נא לבדוק את מה שהוזן.',
    failed: 'הפעולה לא הצליחה. נא לנסות שוב.',
  },
  ja: {
    card: 'カード',
    bankAccount: '銀行口座',
    cardNumber: 'カード番号',
    expiry: '有効期限（月/年）',
    securityCode: 'セキュリティコード',
    routingNumber: 'ルーティング番号',
    accountNumber: '口座番号',
    check: 'この項目をご確認ください。',
    refused: '入力内容を受け付けられませんでした。ご確認ください。',
    failed: '処理できませんでした。もう一度お試しください。',
  },
  zh: {
    card: '银行卡',
    bankAccount: '银行账户',
    cardNumber: '卡号',
    expiry: '有效期（月/年）',
    securityCode: '安全码',
    routingNumber: '银行路由号码',
    accountNumber: '账号',
    check: '请检查此项。',
    refused: '信息未被接受，请检查您的输入。',
    failed: '操作未成功，请重试。',
  },
};
