import { primitives } from '#crypto'
import {
  type Color,
  contrast,
  over,
  parseColor,
  readableOn,
  requireColor,
} from '../../branding/color.ts'
import { cssColor, type Theme } from '../../branding/theme.ts'
import { type Html, styleElement } from './html.ts'

/** The style of a theme's pages, and the policy that permits just that. */
export interface Style {
  readonly element: Html
  readonly source: string
}

const made = new WeakMap<Theme, Promise<Style>>()

/** The style of a theme. Made once: a configuration has one theme, which does not change. */
export function styleOf(theme: Theme): Promise<Style> {
  const cached = made.get(theme)
  if (cached) return cached
  const making = makeStyle(theme)
  made.set(theme, making)
  return making
}

/** How well something of a colour stands out from a card, from 1 to 21. */
export function contrastOnCard(color: Color, scheme: 'light' | 'dark'): number {
  return contrast(over(color, surfaces[scheme]), surfaces[scheme])
}

async function makeStyle(theme: Theme): Promise<Style> {
  const css = schemeRules(theme) + RULES
  const hash = await primitives.digest('SHA-256', css)
  return { element: styleElement(css), source: `'sha256-${btoa(String.fromCharCode(...hash))}'` }
}

const palettes = {
  light: {
    page: '#f5f6f8',
    surface: '#ffffff',
    text: '#15181e',
    quiet: '#59606c',
    line: '#d9dde3',
    edge: '#868d99',
    hover: '#f3f4f7',
    focus: '#2563eb',
    'alert-text': '#991b1b',
    'alert-page': '#fef1f1',
    'alert-line': '#f6cfcf',
    shadow: '0 1px 2px rgb(16 20 30/.04),0 12px 32px -8px rgb(16 20 30/.12)',
  },
  dark: {
    page: '#0d0f13',
    surface: '#171a20',
    text: '#f1f3f6',
    quiet: '#a4acb9',
    line: '#2d323c',
    edge: '#6c7584',
    hover: '#20242c',
    focus: '#7aa7ff',
    'alert-text': '#fecaca',
    'alert-page': '#2b1719',
    'alert-line': '#5a2a2d',
    shadow: '0 1px 2px rgb(0 0 0/.3),0 16px 40px -8px rgb(0 0 0/.5)',
  },
} as const

const surfaces = {
  light: requireColor(palettes.light.surface),
  dark: requireColor(palettes.dark.surface),
}

/** The colours: those of one scheme, or of both where the device decides. */
function schemeRules(theme: Theme): string {
  const light = colorRules('light', theme)
  const dark = colorRules('dark', theme)
  if (theme.colorScheme === 'dark') return dark
  if (theme.colorScheme === 'light') return light
  return `${light}@media(prefers-color-scheme:dark){${dark}}`
}

function colorRules(scheme: 'light' | 'dark', theme: Theme): string {
  const palette = palettes[scheme]
  // Without a colour of its own a button is as dark as text on light pages, and as light on dark ones.
  const brand = cssColor(theme.brandColor) ?? palette.text
  const color = over(parseColor(brand) ?? surfaces[scheme], surfaces[scheme])
  const text = cssColor(theme.buttonText) ?? readableOn(color)
  // A button in nearly the colour of the page needs an edge to be seen.
  const edge = contrastOnCard(color, scheme) < 3 ? palette.edge : 'transparent'
  const variables = Object.entries({
    ...palette,
    'brand-color': brand,
    'button-text-color': text,
    'brand-edge': edge,
  })
  return `:root{color-scheme:${scheme};${variables.map(([name, value]) => `--${name}:${value};`).join('')}}.mark.no-${scheme} path{fill:currentColor}`
}

/*
 * Sizes are relative to the text, so that the page follows the visitor's; sides are logical, so that
 * it turns round for languages that are written from the right.
 *
 * In a grid of providers the name of each is all that can be seen of the text, and all of it is read.
 *
 * A form is busy while it is being sent: its button shows it, and nothing in it can be pressed. A script sets
 * `aria-busy`, and then takes care of it alone. Without one, `--busy` is 1 while a button is held and for two seconds
 * after it is let go, since it is only then that the transition begins; the cover lies over the form in that time,
 * but never while the button is held, which would undo the click.
 */
const RULES: string = `
@property --busy{syntax:"\\3c integer>";inherits:true;initial-value:0}
*,::before,::after{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif;-webkit-text-size-adjust:100%}
.page{display:grid;place-items:center;align-content:center;min-height:100vh;min-height:100dvh;padding:1.5rem 1rem}
.page>*{width:100%;max-width:25rem}
.card{display:grid;gap:1.25rem;padding:2.25rem 2rem;background:var(--surface);border:1px solid var(--line);border-radius:1.25rem;box-shadow:var(--shadow);overflow-wrap:anywhere}
.card>*{min-width:0}
.head{display:grid;gap:.375rem;justify-items:center;text-align:center}
.logo{display:block;max-width:10rem;max-height:4rem;margin-bottom:.75rem}
.icon{width:3.5rem;height:3.5rem;padding:1rem;margin-bottom:.75rem;border-radius:50%;background:var(--hover);fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.icon.bad{background:var(--alert-page);color:var(--alert-text)}
h1,p{margin:0;text-wrap:balance}
h1{font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.015em}
.quiet{color:var(--quiet)}
.small{font-size:.875rem;line-height:1.45}
.providers,.here{display:grid;gap:.75rem}
.here>p{text-align:center}
.here>p+p{margin-top:-.5rem}
.many{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9rem),1fr));gap:.75rem .625rem}
.many>*,.many form{display:grid}
[hidden]{display:none!important}
form,.fields{display:grid;gap:.5rem;margin:0}
form{position:relative}
form:not([data-scripted]){transition:--busy 2s step-end}
form:not([data-scripted]):has([type=submit]:active){--busy:1;transition:none}
form[aria-busy]{--busy:1}
form:has(:invalid){--busy:0}
form::after{content:"";position:absolute;inset:0;width:calc(var(--busy)*100%);cursor:progress}
form:has(:active)::after{content:none}
label{font-size:.875rem;font-weight:550}
input{width:100%;min-height:3rem;margin-bottom:.5rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.75rem;background:var(--surface);color:inherit;font:inherit}
input[type=checkbox],input[type=radio]{width:1.25rem;min-height:1.25rem;accent-color:var(--focus)}
input[type=hidden]{display:none}
.secret{position:relative}
.secret input{padding-inline-end:3.25rem}
.reveal{position:absolute;inset-block-start:.125rem;inset-inline-end:.125rem;width:2.75rem;min-height:2.75rem;padding:0;border:0;border-radius:.625rem;background:none;color:var(--quiet)}
.reveal:hover{filter:none;color:var(--text)}
.reveal::after{content:none}
.reveal svg{width:1.25rem;height:1.25rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.reveal span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.reveal[aria-pressed=false] path+path{display:none}
[data-scripted] ::-ms-reveal{display:none}
::placeholder{color:var(--quiet);opacity:1}
button,.button{display:flex;align-items:center;justify-content:center;gap:.75rem;position:relative;width:100%;min-height:3rem;padding:.625rem 1rem;border:1px solid var(--brand-edge);border-radius:.75rem;background:var(--brand-color);color:var(--button-text-color);font:inherit;font-weight:600;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer;touch-action:manipulation;transition:filter .15s,background-color .15s,border-color .15s}
button:hover,a.button:hover{filter:brightness(1.08)}
button.button{display:grid;grid-template-columns:1.25rem 1fr 1.25rem}
button.button,.plain{border-color:var(--line);background:var(--surface);color:var(--text);font-weight:500}
button.button:hover,.plain:hover{border-color:var(--edge);background:var(--hover);filter:none}
button::after{content:"";position:absolute;inset-inline-end:1rem;width:1.125rem;height:1.125rem;border:2px solid;border-inline-end-color:transparent;border-radius:50%;opacity:var(--busy)}
.button span{text-wrap:balance}
.many span:has(bdi){font-size:0}
.many bdi{font-size:1rem}
.many .button{grid-template-columns:1.25rem 1fr;padding-inline:.875rem;text-align:start}
.mark{width:1.25rem;height:1.25rem}
button small{position:absolute;inset-block-start:-.625rem;inset-inline-end:.75rem;padding:0 .5rem;border:1px solid var(--edge);border-radius:1rem;background:var(--surface);color:var(--quiet);font-size:.75rem;line-height:1.125rem;font-weight:500;white-space:nowrap}
.or{display:flex;align-items:center;gap:.875rem;color:var(--quiet);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.signin .error{display:flex;gap:.75rem;padding:.75rem .875rem;border:1px solid var(--alert-line);border-radius:.75rem;background:var(--alert-page);color:var(--alert-text);font-size:.9375rem;line-height:1.45}
.error>svg{flex:none;width:1.25rem;height:1.25rem;margin-top:.0625rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round}
.signin form .error{margin-bottom:.5rem}
.code{font-size:1.75rem;line-height:1.25;font-weight:650;letter-spacing:.08em;text-align:center}
input[autocomplete=one-time-code]{font-size:1.25rem;letter-spacing:.08em;text-transform:uppercase}
.remember{justify-self:center;display:flex;gap:.5rem;align-items:center}
.remember input{margin:0}
.site{justify-self:center;display:inline-block;margin:-.25rem 0 -.75rem;padding:.5rem .75rem;border-radius:.5rem;color:var(--quiet);font-size:.875rem;text-underline-offset:.2em}
.site:hover{color:var(--text)}
.details{padding:.875rem;border:1px dashed var(--edge);border-radius:.75rem;font-size:.875rem}
pre{margin:.5rem 0;font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap}
.details a,.quiet a{color:inherit}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
input:focus-visible{border-color:var(--focus);outline-offset:-1px}
.error:focus{outline:0}
@media(max-width:30rem){
body{background:var(--surface)}
.page{align-content:start;padding:max(8vh,1.5rem) .25rem 1.5rem}
.card{padding:.5rem 1rem;border:0;border-radius:0;background:none;box-shadow:none}
}
@media(prefers-reduced-motion:no-preference){
button::after{animation:turn .8s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
}
@media(prefers-reduced-motion:reduce){button,.button{transition:none}}
@media(forced-colors:active){button,.button{border-color:ButtonText}}
`.replaceAll('\n', '')
