// One row for each second: what was answered, what has arrived, which servers are up.

const WIDTHS = [6, 12, 12, 12];

export function createTable({ members, callers, receiver }) {
  let before = { accepted: 0, arrived: 0 };
  return {
    head: () => [line(["s", "answered/s", "arrived/s", "servers"]), line(["--", "----------", "---------", "-------"])],
    row: (seconds, words) => {
      const now = { accepted: callers.accepted().length, arrived: receiver.messages() };
      const cells = [seconds.toFixed(0), now.accepted - before.accepted, now.arrived - before.arrived, shown(members)];
      before = now;
      return `${line(cells)}  ${words}`.trimEnd();
    },
  };
}

function line(cells) {
  return cells.map((cell, index) => String(cell).padStart(WIDTHS[index])).join("");
}

function shown(members) {
  return members
    .isUp()
    .map((isUp, place) => (isUp ? String(place + 1) : "-"))
    .join(" ");
}
