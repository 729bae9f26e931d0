export {
  type DeviceBehaviour,
  type DevicePage,
  type DeviceSession,
  PasskeyDevice,
  type PasskeyDeviceOptions,
} from './lib/playwright/passkey-device.ts'
