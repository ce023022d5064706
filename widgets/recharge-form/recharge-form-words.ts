import type { Language } from "../shared/language.ts";

/**
 * Every sentence in Spanish, English and Portuguese, side by side to take fewer bytes; `%` is a placeholder. Those
 * named like a code of the broker, or like a payment's reason, explain it.
 */
const SENTENCES = Object.freeze({
  loading: ["Un momento", "One moment", "Um momento"],
  phone: ["Celular", "Mobile number", "Celular"],
  nit: ["NIT", "NIT", "NIT"],
  find: ["Buscar", "Find", "Buscar"],
  invalid_request: ["Escribe el número completo.", "Type the whole number.", "Digite o número completo."],
  user_not_found: ["Nadie tiene ese número.", "Nobody has that number.", "Ninguém tem esse número."],
  too_many_requests: ["Espera % segundos.", "Wait % seconds.", "Espere % segundos."],
  look_up_expired: ["Pasó mucho tiempo.", "That took long.", "Demorou muito."],
  failed: ["La caja no está disponible", "The till is not available", "O caixa não está disponível"],
  rechargeTo: ["Recarga para", "Top-up for", "Recarga para"],
  amount: ["Valor", "Amount", "Valor"],
  over_most: ["Vende hasta %.", "Sell up to %.", "Venda até %."],
  unreadable_amount: ["Escribe un valor como %.", "Type an amount like %.", "Digite um valor como %."],
  next: ["Seguir", "Continue", "Continuar"],
  change: ["Cambiar", "Change", "Mudar"],
  confirm: ["Revisa y confirma", "Check and confirm", "Confira e confirme"],
  sell: ["Vender %", "Sell %", "Vender %"],
  unsure: ["Aún no sabemos si se vendió", "We do not know yet if it was sold", "Ainda não sabemos se foi vendida"],
  asking: [
    "Seguimos preguntando. No se vende dos veces.",
    "We keep asking. It is never sold twice.",
    "Continuamos perguntando. Não se vende duas vezes.",
  ],
  offline: ["Sin conexión.", "No connection.", "Sem conexão."],
  online: ["Volvió la conexión.", "The connection is back.", "A conexão voltou."],
  lookNow: ["Preguntar ahora", "Ask now", "Perguntar agora"],
  receipt: ["Recarga hecha", "Top-up done", "Recarga feita"],
  another: ["Otra recarga", "Another top-up", "Outra recarga"],
  rejected: ["No se hizo la recarga", "The top-up was not made", "A recarga não foi feita"],
  insufficient_balance: ["A la caja no le alcanza.", "The till lacks credit.", "O caixa não tem saldo."],
  limit_exceeded: ["Pasa un límite de la caja.", "It is over a limit of the till.", "Passa de um limite do caixa."],
  not_allowed: ["La caja no puede hacerlo.", "The till may not do that.", "O caixa não pode fazer isso."],
  payer_blocked: ["La caja está bloqueada.", "The till is blocked.", "O caixa está bloqueado."],
  nothingMoved: ["No se movió dinero.", "No money moved.", "Nenhum dinheiro saiu."],
  tryAgain: ["Intentar de nuevo", "Try again", "Tentar de novo"],
  today: ["Recargas de hoy", "Top-ups today", "Recargas de hoje"],
} satisfies Readonly<Record<string, Readonly<Record<0 | 1 | 2, string>>>>);

const COLUMNS: Readonly<Record<Language, 0 | 1 | 2>> = Object.freeze({ es: 0, en: 1, pt: 2 });

/** Every sentence of `<recharge-form>` in one language. */
export type RechargeFormWords = Readonly<Record<keyof typeof SENTENCES, string>>;

/** The sentences of a language. */
export function rechargeFormWords(language: Language): RechargeFormWords {
  const rows = Object.entries(SENTENCES).map(([name, row]) => [name, row[COLUMNS[language]]]);
  return Object.fromEntries(rows) as RechargeFormWords;
}

/** Fills a sentence's placeholder. */
export function filled(sentence: string, value: string | number): string {
  return sentence.replace("%", () => String(value));
}

/** Returns the sentence that explains a code, if there is one. */
export function meaningOf(code: string | undefined, words: Readonly<Record<string, string>>): string | undefined {
  return code?.includes("_") ? words[code] : undefined;
}
