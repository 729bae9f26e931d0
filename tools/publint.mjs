// Publint's own command checks one package at a time, and starting it takes longer than that.
import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packPackages } from './packed.mjs'
import { listPublished, runAsScript } from './workspace.mjs'

/** Looks at every package that has exports, as it would be published. */
async function lintPackages() {
  const packed = packPackages()
  const faults = listPublished().map(async ({ name, manifest }) => {
    const tarball = bytesOf(readFileSync(packed.get(name)))
    const { messages } = await publint({ pack: { tarball }, strict: true })
    return messages.map(message => `${name}: ${formatMessage(message, manifest, { color: false })}`)
  })
  return (await Promise.all(faults)).flat()
}

function bytesOf({ buffer, byteOffset, byteLength }) {
  return buffer.slice(byteOffset, byteOffset + byteLength)
}

runAsScript(import.meta.url, lintPackages)
