import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { drawSequence } from './sequence.mjs'
import { sidebar } from './sidebar.mjs'
import { slug } from './slug.mjs'

/** For tests, which look at neither: small files and colours of code take half of the time. */
const isQuick = Boolean(process.env.QUICK_SITE)

const DOCS = dirname(dirname(fileURLToPath(import.meta.url)))

export default defineConfig({
  title: 'SiteAuth',
  description: 'Sign-in, sign-out and sessions for web applications.',
  lang: 'en',
  cleanUrls: true,
  // Folders have a README where people read them in the repository.
  rewrites: { 'providers/README.md': 'providers/index.md' },
  head: [
    ['link', { rel: 'icon', href: '/logo.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#4f46e5' }],
  ],
  vite: { build: { minify: !isQuick } },
  markdown: {
    ...(isQuick && { highlight: codeWithoutColours }),
    anchor: { slugify: slug },
    config(md) {
      unlinkFilesOutside(md)
      drawDiagrams(md)
      nameFiles(md)
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    sidebar,
    nav: [
      { text: 'Start', link: '/what' },
      { text: 'Guides', link: '/guide/protecting' },
      { text: 'Providers', link: '/providers/' },
      { text: 'Options', link: '/reference/options' },
      { text: 'Errors', link: '/errors' },
    ],
    outline: [2, 3],
    // In the browser, from an index that is part of the site: it needs no service.
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument } } },
    },
    footer: { message: 'MIT licence' },
  },
})

function codeWithoutColours(code) {
  return `<pre v-pre><code>${code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>`
}

/** What explains comes before what lists. It runs in the browser, so it uses nothing of this file. */
function boostDocument(id) {
  if (/^\/(decisions|reference\/api|differences)/.test(id)) return 0.3
  return id.startsWith('/providers/') ? 0.6 : 1
}

/** Sources and examples are linked for readers of the repository; the site does not have them. */
function unlinkFilesOutside(md) {
  md.core.ruler.push('unlink-outside', ({ tokens, env }) => {
    const from = dirname(env.path ?? join(DOCS, 'x.md'))
    for (const { children } of tokens.filter(({ type }) => type === 'inline')) {
      const stack = []
      for (const token of children) {
        if (token.type === 'link_open') {
          stack.push(leadsOutside(from, token.attrGet('href')))
          if (stack.at(-1)) rename(token, 'span')
        } else if (token.type === 'link_close' && stack.pop()) rename(token, 'span')
      }
    }
  })
}

function leadsOutside(from, href) {
  if (/^([a-z]+:|#|\/)/i.test(href)) return false
  const path = join(from, decodeURI(href.split('#')[0]))
  return !path.startsWith(DOCS) || !existsSync(path.replace(/(?:\.html)?$/, ''))
}

function rename(token, tag) {
  token.tag = tag
  token.type = token.type.replace('link', tag)
  token.attrs = null
}

/** Diagrams become pictures while the site is made: nothing has to be loaded to see them. */
function drawDiagrams(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index]
    if (info.trim() !== 'mermaid') return fence(tokens, index, options, env, self)
    return `<figure class="diagram" v-pre>${drawSequence(content)}</figure>`
  }
}

/** "ts [auth.ts]" shows the name of the file above the block. */
function nameFiles(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const file = tokens[index].info.match(/\[(.+)\]/)?.[1]
    const block = fence(tokens, index, options, env, self)
    if (!file) return block
    return `<div class="named-block"><div class="file-name">${md.utils.escapeHtml(file)}</div>${block}</div>`
  }
}
