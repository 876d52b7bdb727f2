// English texts about browsers that are pushed to.
export const devices = {
  title: 'Pushed to your devices',
  what: 'What is pushed',
  all: 'Everything',
  important: 'Important only',
  importantWhy: 'Important is what asks for an answer, moves money or changes what your agent may do.',
  nothing: 'Nothing',
  none: 'No device is pushed to. On a phone, add this app to the home screen first.',
  here: 'Push to this device',
  thisDevice: 'This device',
  since: 'since',
  denied: 'This browser was told to show no notifications of this site. Its settings can change that.',
  failed: 'This browser could not be subscribed. Its maker’s push service may be away.',
  unable: 'This browser takes no pushes, or takes them only once the app is installed.',
  remove: 'Stop',
  removeAsk: (name: string) => `Push to ${name} no more?`,
} as const;
