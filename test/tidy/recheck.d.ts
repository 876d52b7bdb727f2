// The build of recheck that is plain JavaScript: it needs neither Java nor a program of this platform.
declare module 'recheck/lib/browser.js' {
  export const checkSync: typeof import('recheck').checkSync;
}
