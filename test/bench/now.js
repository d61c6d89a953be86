// A time that all processes of this machine share: the system's monotonic clock, in milliseconds.

export function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
