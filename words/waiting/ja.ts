import type { WaitingWords } from './wording.ts';

export const ja: WaitingWords = {
  task: {
    asked: { other: '未払いの請求書 {count} 件が対象です。最初の支払期日: {day}。' },
    owing: '顧客には支払期日を過ぎた {amount} の未払いがあります。',
    due: '予定日は {day} です。',
    undated: '期日はありません。',
  },
  promise: '{day} までに {amount} の支払いが約束されていましたが、入金がありません。',
  line: '顧客が明細に異議を申し立てています: {reason}。',
  held: '{day} まで、この請求書は督促されません。',
  dispute: '支払人の銀行が {amount} を保留しています: {reason}。',
  evidence: '証拠の提出期限は {day} です。',
  failed: '請求に失敗しました: {reason}。',
  again: '{day} に再試行されます。',
  over: '再試行はされません。',
  arrived: '{day} に {amount} が入金されましたが、まだ何にも充当されていません。',
  owed: '顧客の未払い額は {owed} です。',
  stranger: 'どの顧客のものでもありません。',
  problem: '{step}: {message}。',
  tried: { other: '{day} から {count} 回試行されました。' },
};
