const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in HTML, also inside an attribute in quotes. */
export function escapeHtml(text: string): string {
  // Nearly every text is as it is already, and to see that costs less.
  if (!/[&<>"']/.test(text)) return text
  return text.replace(/[&<>"']/g, character => entities[character] ?? '')
}
