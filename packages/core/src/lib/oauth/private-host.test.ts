import { describe, expect, it } from 'vitest'
import { isPrivateHost } from './private-host.ts'

const hostOf = (host: string) => new URL(`https://${host}`).hostname

describe('a host', () => {
  it.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'metadata.google.internal',
    'printer.local',
    'keycloak',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:0a00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[2002:7f00:1::]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
  ])('%s is private', host => {
    expect(isPrivateHost(hostOf(host))).toBe(true)
  })

  it.each([
    'example.com',
    'localhost.example.com',
    'internal.example.com',
    '8.8.8.8',
    '100.128.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '[2606:4700::1111]',
    '[::ffff:8.8.8.8]',
    '[2002:808:808::]',
  ])('%s is public', host => {
    expect(isPrivateHost(hostOf(host))).toBe(false)
  })
})
