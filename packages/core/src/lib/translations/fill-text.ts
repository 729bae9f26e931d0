/** The values of the blanks in texts: names, places and numbers. */
export interface Blanks {
  readonly provider?: string | undefined
  readonly host?: string | undefined
  readonly email?: string | undefined
  /** When, seen from now. */
  readonly wait?: string | undefined
  /** How many characters. */
  readonly minLength?: string | undefined
}

/** Words with their blanks filled in, as a text. */
export function fillText(text: string, blanks: Blanks): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => blankFor(blanks, name) ?? whole)
}

/** The value of a blank; undefined if texts use another name, or it is unknown. */
export function blankFor(blanks: Blanks, name: string): string | undefined {
  return isBlank(name) ? blanks[name] : undefined
}

function isBlank(name: string): name is keyof Blanks {
  return ['provider', 'host', 'email', 'wait', 'minLength'].includes(name)
}
