import { expect, it } from 'vitest'
import { networkOf } from './network-of.ts'

it.each([
  '1.2.3.4',
  ' 1.2.3.4 ',
  '1.2.3.4:5678',
  '::ffff:1.2.3.4',
  '::FFFF:1.2.3.4',
  '::ffff:102:304',
  '0:0:0:0:0:ffff:102:304',
  '[::ffff:1.2.3.4]:443',
  '64:ff9b::1.2.3.4',
  '64:ff9b::102:304',
])('%s is one IPv4 address, however it is written', address => {
  expect(networkOf(address)).toBe('1.2.3.4')
})

it.each([
  '2001:db8:0:1::1',
  '2001:DB8::1:0:0:0:2',
  '2001:0db8:0000:0001:ffff:ffff:ffff:ffff',
  '[2001:db8:0:1::7]:8080',
  '2001:db8:0:1::7%eth0',
  '2001:db8:0:1::1.2.3.4',
])('%s is in one household', address => {
  expect(networkOf(address)).toBe('2001:db8:0:1::/64')
})

it('tells households apart', () => {
  expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('64:ff9b:1::1.2.3.4')).toBe('64:ff9b:1:0::/64')
})

it.each([
  '',
  'unknown',
  '_hidden',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.4.',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1::2::3',
  '12345::',
  'g::1',
  '::1, 1.2.3.4',
  '1.2.3.4<script>',
  '1.2.3.4::',
  '::1.2.3.4:1',
  '::01.2.3.4',
])('%j is no address', text => {
  expect(networkOf(text)).toBeNull()
})
