import { over, parseColor, readableOn, requireColor, WHITE } from '../../branding/color.ts'
import { escapeHtml } from '../../branding/escape-html.ts'
import { appNameOf, cssColor, imageUrl, type Theme } from '../../branding/theme.ts'
import { fillText } from '../../translations/fill-text.ts'
import type { Language } from '../../translations/languages.ts'

/** A message, ready to be sent. */
export interface EmailMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The parts of the message with a link. */
export interface MessageContent {
  readonly url: string
  readonly theme: Theme
  readonly language: Language
  /** As people read it. */
  readonly code?: string | undefined
}

/** The message with the link that signs in, in the design of the pages. */
export function signInMessage({ url, theme, language, code }: MessageContent): EmailMessage {
  const { origin, host } = new URL(url)
  const { messages } = language
  const subject = fillText(messages.signInTo, { host: appNameOf(theme) ?? host })
  return composeMessage({
    subject,
    heading: subject,
    text: fillText(messages.emailText, { host }),
    isTextShort: true,
    button: { url, label: messages.signIn },
    code,
    note: messages.emailIgnore,
    origin,
    theme,
    language,
  })
}

/** The parts of every message. */
export interface ComposedContent {
  readonly subject: string
  readonly heading: string
  readonly text: string
  /** Whether the heading is enough if there is no design. */
  readonly isTextShort?: boolean
  readonly button: { readonly url: string; readonly label: string } | null
  /** As people read it. */
  readonly code?: string | undefined
  /** At the end, in small letters. */
  readonly note: string
  /** Where the logo is. */
  readonly origin: string
  readonly theme: Theme
  readonly language: Language
}

/** A message in the design of the pages. */
export function composeMessage(content: ComposedContent): EmailMessage {
  const { subject, heading, text, isTextShort, button, code, note, origin, theme, language } =
    content
  const { messages, tag, direction } = language
  const brand = cssColor(theme.brandColor) ?? '#15181e'
  const color = over(parseColor(brand) ?? requireColor(WHITE), requireColor(WHITE))
  const onBrand = cssColor(theme.buttonText) ?? readableOn(color)
  const logo = remoteLogo(theme.logo, origin)
  const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
  const row = (style: string, content: string) =>
    `<tr><td align="center" style="padding:${style}">${content}</td></tr>`
  return {
    subject,
    text: [
      heading,
      ...(isTextShort ? [] : [text]),
      ...(button ? [button.url] : []),
      ...(code ? [messages.emailCode, code, messages.emailKeepCode] : []),
      ...(note ? [note] : []),
    ]
      .join('\n\n')
      .concat('\n'),
    html: [
      `<!DOCTYPE html><html lang="${escapeHtml(tag)}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${theme.colorScheme === 'light' ? 'light' : 'light dark'}"><title>${unlinked(subject)}</title>`,
      // Programs that know neither show the message as it is: dark on light.
      theme.colorScheme === 'light' ? '' : DARK,
      `</head><body class="page" style="margin:0;padding:32px 16px;background:#f5f6f8;color:#15181e;${font}">`,
      `<table role="presentation" dir="${direction}" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">`,
      '<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;background:#ffffff;border:1px solid #d9dde3;border-radius:20px">',
      row(
        '40px 32px 0',
        logo ? `<img src="${escapeHtml(logo)}" alt="" height="48" style="max-width:160px">` : '',
      ),
      row('16px 32px 0;font-size:24px;line-height:30px;font-weight:650', unlinked(heading)),
      row(
        '8px 32px 0;font-size:16px;line-height:24px',
        `<span class="quiet" style="color:#59606c">${unlinked(text)}</span>`,
      ),
      ...(button
        ? [
            row(
              '24px 32px 0',
              `<a class="button" href="${escapeHtml(button.url)}" target="_blank" rel="noreferrer" style="display:inline-block;padding:13px 32px;border-radius:12px;background:${brand};color:${onBrand};font-size:16px;line-height:22px;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a>`,
            ),
          ]
        : []),
      ...(code
        ? [
            row(
              '24px 32px 0;font-size:16px;line-height:24px',
              `<span class="quiet" style="color:#59606c">${escapeHtml(messages.emailCode)}</span>`,
            ),
            row(
              '8px 32px 0;font-size:28px;line-height:36px;font-weight:650;letter-spacing:2px',
              `<span dir="ltr">${escapeHtml(code)}</span>`,
            ),
            row(
              '8px 32px 0;font-size:14px;line-height:20px',
              `<span class="quiet" style="color:#59606c">${escapeHtml(messages.emailKeepCode)}</span>`,
            ),
          ]
        : []),
      row(
        '24px 32px 40px;font-size:14px;line-height:20px',
        `<span class="quiet" style="color:#59606c">${escapeHtml(note)}</span>`,
      ),
      '</table></td></tr></table></body></html>',
    ].join(''),
  }
}

const DARK =
  '<style>@media(prefers-color-scheme:dark){.page{background:#0d0f13!important;color:#f1f3f6!important}.card{background:#171a20!important;border-color:#2d323c!important}.quiet{color:#a4acb9!important}}</style>'

/** Mail programs load images from the web or not at all. */
function remoteLogo(logo: string | undefined, origin: string): string | undefined {
  const url = imageUrl(logo)
  return url && !url.startsWith('data:') ? new URL(url, origin).href : undefined
}

/** Mail programs make links of what looks like a host; nothing but the button is to be clicked. */
function unlinked(text: string): string {
  return escapeHtml(text).replaceAll(/\.(?=\w)/g, '&#8288;.')
}
