import { inLanguage } from './languages.ts';

/** Texts of the page on which the test gateway asks a payer to authenticate, in one language. */
interface ChallengeWords {
  /** The name of the bank that the page stands for. */
  bank: string;
  authenticateTitle: string;
  question: string;
  why: string;
  payment: string;
  saveCard: string;
  noCharge: string;
  authenticate: string;
  fail: string;
  /** The challenge was answered, or has expired. */
  endedTitle: string;
  endedWhy: string;
  back: string;
  missingTitle: string;
  missingWhy: string;
  foreignTitle: string;
  foreignWhy: string;
}

const ar: ChallengeWords = {
  bank: 'بنك تجريبي',
  authenticateTitle: 'تأكيد الهوية',
  question: 'هل هذا أنت؟',
  why: 'هنا يطلب بنك البطاقة من عميله تأكيد هويته. هذه الصفحة تمثل صفحة البنك.',
  payment: 'دفعة',
  saveCard: 'حفظ بطاقة',
  noCharge: 'بدون خصم',
  authenticate: 'تأكيد',
  fail: 'رفض',
  endedTitle: 'انتهى هذا الطلب',
  endedWhy: 'تم الرد عليه من قبل، أو انتظر مدة طويلة.',
  back: 'رجوع',
  missingTitle: 'لا يوجد شيء هنا',
  missingWhy: 'العنوان غير مكتمل.',
  foreignTitle: 'مرفوض',
  foreignWhy: 'جاء الرد من موقع آخر.',
};

const de: ChallengeWords = {
  bank: 'Testbank',
  authenticateTitle: 'Bestätigen',
  question: 'Sind Sie das?',
  why: 'Hier bittet die Bank der Karte ihren Kunden um eine Bestätigung. Diese Seite steht für die Seite der Bank.',
  payment: 'Zahlung',
  saveCard: 'Karte speichern',
  noCharge: 'Keine Belastung',
  authenticate: 'Bestätigen',
  fail: 'Ablehnen',
  endedTitle: 'Diese Anfrage ist beendet',
  endedWhy: 'Sie wurde schon beantwortet, oder sie hat zu lange gewartet.',
  back: 'Zurück',
  missingTitle: 'Hier ist nichts',
  missingWhy: 'Die Adresse ist nicht vollständig.',
  foreignTitle: 'Abgelehnt',
  foreignWhy: 'Die Antwort kam von einer anderen Website.',
};

const en: ChallengeWords = {
  bank: 'Test bank',
  authenticateTitle: 'Authenticate',
  question: 'Is this you?',
  why: 'Here the bank of the card asks its customer to authenticate. This page stands for it.',
  payment: 'Payment',
  saveCard: 'Save a card',
  noCharge: 'No charge',
  authenticate: 'Authenticate',
  fail: 'Fail',
  endedTitle: 'This request has ended',
  endedWhy: 'It was answered before, or waited for too long.',
  back: 'Back',
  missingTitle: 'There is nothing here',
  missingWhy: 'The address is not complete.',
  foreignTitle: 'Refused',
  foreignWhy: 'The answer came from another site.',
};

const es: ChallengeWords = {
  bank: 'Banco de prueba',
  authenticateTitle: 'Confirmar',
  question: '¿Es usted?',
  why: 'Aquí el banco de la tarjeta pide a su cliente que se autentique. Esta página lo representa.',
  payment: 'Pago',
  saveCard: 'Guardar una tarjeta',
  noCharge: 'Sin cargo',
  authenticate: 'Confirmar',
  fail: 'Rechazar',
  endedTitle: 'Esta solicitud ha terminado',
  endedWhy: 'Ya se había respondido o ha esperado demasiado tiempo.',
  back: 'Volver',
  missingTitle: 'Aquí no hay nada',
  missingWhy: 'La dirección no está completa.',
  foreignTitle: 'Rechazado',
  foreignWhy: 'La respuesta procede de otro sitio.',
};

const fr: ChallengeWords = {
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

const he: ChallengeWords = {
  bank: 'בנק לבדיקה',
  authenticateTitle: 'אימות',
  question: 'האם זה אתם?',
  why: 'כאן הבנק של הכרטיס מבקש מהלקוח לאמת את זהותו. דף זה מייצג את דף הבנק.',
  payment: 'תשלום',
  saveCard: 'שמירת כרטיס',
  noCharge: 'ללא חיוב',
  authenticate: 'אישור',
  fail: 'דחייה',
  endedTitle: 'הבקשה הסתיימה',
  endedWhy: 'כבר התקבלה תשובה, או שהבקשה המתינה זמן רב מדי.',
  back: 'חזרה',
  missingTitle: 'אין כאן דבר',
  missingWhy: 'הכתובת אינה מלאה.',
  foreignTitle: 'נדחה',
  foreignWhy: 'התשובה הגיעה מאתר אחר.',
};

const ja: ChallengeWords = {
  bank: 'テスト銀行',
  authenticateTitle: '認証',
  question: 'ご本人ですか？',
  why: 'ここでは、カードの発行銀行がお客様に認証をお願いします。このページはその代わりです。',
  payment: 'お支払い',
  saveCard: 'カードの保存',
  noCharge: '請求なし',
  authenticate: '認証する',
  fail: '拒否する',
  endedTitle: 'この依頼は終了しました',
  endedWhy: 'すでに回答済みか、待ち時間が長すぎました。',
  back: '戻る',
  missingTitle: 'ここには何もありません',
  missingWhy: 'アドレスが完全ではありません。',
  foreignTitle: '拒否されました',
  foreignWhy: '回答が別のサイトから送信されました。',
};

const zh: ChallengeWords = {
  bank: '测试银行',
  authenticateTitle: '验证',
  question: '是您本人吗？',
  why: '在这里，发卡银行会要求其客户进行验证。此页面代表银行的页面。',
  payment: '付款',
  saveCard: '保存银行卡',
  noCharge: '不扣款',
  authenticate: '通过验证',
  fail: '拒绝',
  endedTitle: '此请求已结束',
  endedWhy: '它已被回复，或等待时间过长。',
  back: '返回',
  missingTitle: '这里没有内容',
  missingWhy: '地址不完整。',
  foreignTitle: '已拒绝',
  foreignWhy: '回复来自其他网站。',
};

/** The texts of the page on which the test gateway asks a payer to authenticate. English if they are not translated into a language. */
export function challengeWordsOf(language: string): ChallengeWords {
  return inLanguage({ ar, de, en, es, fr, he, ja, zh }, language);
}
