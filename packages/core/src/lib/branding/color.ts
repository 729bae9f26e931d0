/** A colour that can be seen: red, green and blue from 0 to 1, and how much of it covers. */
export interface Color {
  readonly rgb: readonly [number, number, number]
  readonly alpha: number
}

/** White and a black that is a little softer. One of the two can be read on any colour. */
export const WHITE = '#ffffff'
const INK = '#0b0d12'

/** Reads a CSS colour; null if it is not one that can be known without a page around it. */
export function parseColor(text: string): Color | null {
  const value = text.trim().toLowerCase()
  if (value === 'transparent') return { rgb: [0, 0, 0], alpha: 0 }
  const named = NAMES.get(value)
  if (named !== undefined) return fromHex(named)
  if (value.startsWith('#')) return fromHex(value.slice(1))
  const [, name, inner = ''] = /^([a-z]+)\(([^()]*)\)$/.exec(value) ?? []
  return name && Object.hasOwn(SPACES, name) ? fromFunction(name, inner) : null
}

/** The contrast between two colours, from 1 to 21, as WCAG 2 reckons it. */
export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The colour that results if one colour covers another. */
export function over({ rgb, alpha }: Color, below: Color): Color {
  const mix = (at: 0 | 1 | 2) => rgb[at] * alpha + below.rgb[at] * (1 - alpha)
  return { rgb: [mix(0), mix(1), mix(2)], alpha: 1 }
}

/** White or black, whichever is easier to read on a colour. At least 4.5 to 1 with any. */
export function readableOn(color: Color): string {
  const isWhite = contrast(color, requireColor(WHITE)) >= contrast(color, requireColor(INK))
  return isWhite ? WHITE : INK
}

/** A colour of our own, which is one. */
export function requireColor(text: string): Color {
  const color = parseColor(text)
  if (!color) throw new TypeError(`${text} is not a colour`)
  return color
}

function luminance({ rgb }: Color): number {
  const [red, green, blue] = rgb.map(linear) as [number, number, number] // there are three
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function encoded(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
}

function fromHex(digits: string): Color | null {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return null
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16) / 255
  return { rgb: [at(0), at(2), at(4)], alpha: long.length === 8 ? at(6) : 1 }
}

type Triple = readonly [number, number, number]

/** How the three numbers of a function become red, green and blue; what 100% means for each. */
const SPACES: Readonly<Record<string, { full: Triple; read(values: Triple): Triple }>> = {
  rgb: { full: [255, 255, 255], read: ([r, g, b]) => [r / 255, g / 255, b / 255] },
  rgba: { full: [255, 255, 255], read: ([r, g, b]) => [r / 255, g / 255, b / 255] },
  hsl: { full: [360, 100, 100], read: fromHsl },
  hsla: { full: [360, 100, 100], read: fromHsl },
  hwb: { full: [360, 100, 100], read: fromHwb },
  lab: { full: [100, 125, 125], read: fromLab },
  lch: { full: [100, 150, 360], read: ([l, c, h]) => fromLab(fromPolar(l, c, h)) },
  oklab: { full: [1, 0.4, 0.4], read: fromOklab },
  oklch: { full: [1, 0.4, 360], read: ([l, c, h]) => fromOklab(fromPolar(l, c, h)) },
  // Whichever space it names: near enough to tell what can be read on it.
  color: { full: [1, 1, 1], read: values => values },
}

function fromFunction(name: string, inner: string): Color | null {
  const space = SPACES[name]
  const words = inner.replaceAll(/[,/]/g, ' ').trim().split(/\s+/)
  const numbers = name === 'color' ? words.slice(1) : words
  if (!space || numbers.length < 3 || numbers.length > 4) return null
  const [one, two, three] = [0, 1, 2].map(at => toNumber(numbers[at], space.full[at as 0 | 1 | 2]))
  const alpha = numbers[3] === undefined ? 1 : toNumber(numbers[3], 1)
  if (one === undefined || two === undefined || three === undefined || alpha === undefined) {
    return null
  }
  if (![one, two, three, alpha].every(Number.isFinite)) return null
  const [red, green, blue] = space.read([one, two, three])
  return { rgb: [clamp(red), clamp(green), clamp(blue)], alpha: clamp(alpha) }
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  deg: 1,
  grad: 0.9,
  rad: 180 / Math.PI,
  turn: 360,
}

function toNumber(word: string | undefined, full: number): number {
  if (word === 'none') return 0
  const [, digits, unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+))([a-z%]*)$/.exec(word ?? '') ?? []
  if (unit === '%') return (Number(digits) / 100) * full
  return Number(digits) * (UNITS[unit] ?? Number.NaN)
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

function fromHsl([hue, saturation, lightness]: Triple): Triple {
  const [s, l] = [clamp(saturation / 100), clamp(lightness / 100)]
  const channel = (offset: number) => {
    const k = (((offset + hue / 30) % 12) + 12) % 12
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return [channel(0), channel(8), channel(4)]
}

function fromHwb([hue, whiteness, blackness]: Triple): Triple {
  const [w, b] = [whiteness / 100, blackness / 100]
  if (w + b >= 1) return [w / (w + b), w / (w + b), w / (w + b)]
  const [red, green, blue] = fromHsl([hue, 100, 50])
  const mix = (value: number) => value * (1 - w - b) + w
  return [mix(red), mix(green), mix(blue)]
}

function fromPolar(lightness: number, chroma: number, hue: number): Triple {
  const angle = (hue * Math.PI) / 180
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

/** CIE Lab with the white point D50, by the matrices of CSS Color 4. */
function fromLab([lightness, a, b]: Triple): Triple {
  const fy = (lightness + 16) / 116
  const [fx, fz] = [a / 500 + fy, fy - b / 200]
  const cube = (f: number) => (f ** 3 > 216 / 24389 ? f ** 3 : (116 * f - 16) / (24389 / 27))
  const [x, y, z] = [0.9642956764 * cube(fx), cube(fy), 0.8251046025 * cube(fz)]
  return [
    encoded(3.1341358529 * x - 1.617385998 * y - 0.4906633079 * z),
    encoded(-0.9787954765 * x + 1.9162543774 * y + 0.0334424887 * z),
    encoded(0.0719553749 * x - 0.2289774776 * y + 1.4053851398 * z),
  ]
}

function fromOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/** The names that CSS has for colours. */
const NAMES: ReadonlyMap<string, string> = new Map(
  `aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`
    .match(/\S+ \S+/g)
    ?.map(pair => pair.split(' ') as [string, string]), // two words each
)
