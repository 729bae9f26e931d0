import { describe, expect, it } from 'vitest'
import { isPrivateAddress, isPrivateHost } from './private-host.ts'

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
    '[::ffff:0:169.254.169.254]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b:1::1]',
    '[64:ff9b::8.8.8.8]',
    '[100::1]',
    '[2001::1]',
    '[2001:db8::1]',
    '[2002:808:808::]',
    '[3fff::1]',
    '[5f00::1]',
    '[1fff::1]',
    '[4000::1]',
    'kubernetes.default.svc',
    'nas.lan',
    'sso.corp',
    'wiki.intranet',
    'vault.internal',
    '168.63.129.16',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
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
    '[2a00:1450:4001::1]',
    'svc.example.com',
    'corp.example',
    '168.63.129.17',
  ])('%s is public', host => {
    expect(isPrivateHost(hostOf(host))).toBe(false)
  })
})

describe('an address that was found for a name', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '64:ff9b::808:808'])('%s is public', address => {
    expect(isPrivateAddress(address)).toBe(false)
  })

  it.each([
    '127.0.0.1',
    '::1',
    'fe80::1%eth0',
    '64:ff9b::a9fe:a9fe',
    '::ffff:8.8.8.8',
    'unknown',
    '',
  ])('%s is private', address => {
    expect(isPrivateAddress(address)).toBe(true)
  })
})
