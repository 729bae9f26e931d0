import type { Language } from './languages.ts'

/** How long a visitor has to wait, in words: `in 3 minutes`. */
export function waitText({ tag }: Pick<Language, 'tag'>, seconds: number): string {
  const [value, unit] =
    seconds < 60
      ? ([seconds, 'second'] as const)
      : seconds < 3600
        ? ([seconds / 60, 'minute'] as const)
        : ([seconds / 3600, 'hour'] as const)
  return formatFor(tag).format(Math.max(Math.ceil(value), 1), unit)
}

/** An application may configure a language with an unknown tag. */
function formatFor(tag: string): Intl.RelativeTimeFormat {
  try {
    return new Intl.RelativeTimeFormat(tag)
  } catch {
    return new Intl.RelativeTimeFormat('en')
  }
}
