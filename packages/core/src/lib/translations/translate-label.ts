import { messages as english } from './en.ts'
import type { Messages } from './messages.ts'

type LabelWord = 'email' | 'password' | 'username' | 'phone' | 'code'

/** Labels that nearly all applications use. */
const LABELS: ReadonlyMap<string, LabelWord> = new Map([
  ['email', 'email'],
  ['emailaddress', 'email'],
  ['password', 'password'],
  ['username', 'username'],
  ['phone', 'phone'],
  ['phonenumber', 'phone'],
  ['code', 'code'],
])

/**
 * The label of a field in the language of the page, where it is one that we know in English. Others
 * are the application's own, as is the spelling on a page in English.
 */
export function translateLabel(
  label: string | undefined,
  name: string,
  messages: Messages,
): string {
  const word = LABELS.get((label ?? name).toLowerCase().replaceAll(/[\s_-]/g, ''))
  if (!word) return label ?? name
  return label !== undefined && messages[word] === english[word] ? label : messages[word]
}
