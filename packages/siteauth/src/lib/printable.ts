/** A text from elsewhere, for a terminal: without what could move the cursor, or hide what follows. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ')
}
