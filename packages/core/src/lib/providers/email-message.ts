import { escapeHtml } from '../escape-html.ts'
import { cssColor, type Theme } from '../theme.ts'

/** A message, ready to be sent. */
export interface EmailMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The message with the link that signs in. */
export function signInMessage({ url, theme }: { url: string; theme: Theme }): EmailMessage {
  const { host } = new URL(url)
  const brand = cssColor(theme.brandColor) ?? '#346df1'
  const text = cssColor(theme.buttonText) ?? '#fff'
  return {
    subject: `Sign in to ${host}`,
    text: `Sign in to ${host}\n\n${url}\n\nIf you did not ask for this email, you can ignore it.\n`,
    html: [
      '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"></head>',
      '<body style="margin:0;padding:32px 16px;background:#f4f5f7;font-family:system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif;color:#1f2430">',
      '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">',
      '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;background:#fff;border-radius:12px">',
      `<tr><td align="center" style="padding:40px 32px 16px;font-size:20px;font-weight:600">Sign in to ${unlinked(host)}</td></tr>`,
      `<tr><td align="center" style="padding:16px 32px"><a href="${escapeHtml(url)}" target="_blank" rel="noreferrer" style="display:inline-block;padding:12px 28px;border-radius:8px;background:${brand};color:${text};font-size:16px;font-weight:600;text-decoration:none">Sign in</a></td></tr>`,
      '<tr><td align="center" style="padding:16px 32px 40px;font-size:14px;line-height:20px;color:#6b7280">If you did not ask for this email, you can ignore it.</td></tr>',
      '</table></td></tr></table></body></html>',
    ].join(''),
  }
}

/** Mail programs make links of what looks like a host; nothing but the button is to be clicked. */
function unlinked(host: string): string {
  return escapeHtml(host).replaceAll('.', '&#8203;.')
}
