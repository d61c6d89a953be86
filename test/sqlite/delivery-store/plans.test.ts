// Queries that are frequent, or that concern many rows, are answered by an index: nothing is scanned, nothing is sorted.

import { describe, expect, it } from "vitest";
import { SELECT_DELETIONS, SELECT_UNFINISHED_DELETIONS } from "../../../packages/sqlite/src/delivery-store/users.js";
import { SELECT_DELIVERIES_OF_MESSAGE, SELECT_PURGE_SLICE } from "../../../packages/sqlite/src/delivery-store/purge.js";
import { SELECT_UNPURGED } from "../../../packages/sqlite/src/delivery-store/erasure.js";
import { SELECT_DUE, nextDueSql } from "../../../packages/sqlite/src/delivery-store/claim.js";
import { SELECT_CLAIMED_ROWS } from "../../../packages/sqlite/src/delivery-store/settle.js";
import {
  SELECT_BY_ACCEPTED_AT,
  SELECT_BY_FIRST_ATTEMPT,
  UPDATE_DUE_AT,
  SELECT_SWEEPABLE,
} from "../../../packages/sqlite/src/delivery-store/maintenance.js";
import { findOfMessages, findRows } from "../../../packages/sqlite/src/delivery-store/lists.js";
import { SELECT_CHANGED, SELECT_LAST_CHANGE } from "../../../packages/sqlite/src/delivery-store/board.js";
import { SELECT_LANE_PAGE } from "../../../packages/sqlite/src/delivery-store/reads.js";
import { FIND_RECORD, LIST_RECORDS, LIST_TAGGED_RECORDS } from "../../../packages/sqlite/src/record-store.js";
import { createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import type { ListQuery } from "@postrider/core";
import { newFile, openFile } from "../files.js";

const database = openFile(newFile());
createSqliteStore({ database });

function plan(sql: string): string {
  const rows = database.prepare(`explain query plan ${sql}`).all(
    ...sql
      .replace(/[^?]/g, "")
      .split("")
      .map(() => 1),
  );
  return rows.map((row: { detail: string }) => row.detail).join("\n");
}

const PAGE = { before: 100, above: 0, limit: 10 };

/** The queries that a list makes to the database. */
function questions(query: ListQuery | ((watched: SqliteDatabase) => unknown)): readonly string[] {
  const asked: string[] = [];
  const watched: SqliteDatabase = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      asked.push(sql);
      return database.prepare(sql);
    },
    close: () => undefined,
  };
  if (typeof query === "function") query(watched);
  else findRows(watched, query, PAGE);
  return asked;
}

describe("the plan of", () => {
  it("a claim is a search of the due times of one lane and one kind, in their order", () => {
    expect(plan(SELECT_DUE)).toContain("SEARCH d USING INDEX delivery_due (lane=? AND <expr>=? AND due_at<?)");
    expect(plan(SELECT_DUE)).not.toContain("TEMP B-TREE");
    expect(plan(nextDueSql("?", 1))).toContain("delivery_due (lane=? AND <expr>=? AND due_at>?)");
    expect(plan(nextDueSql("?", 1))).not.toContain("TEMP B-TREE");
  });

  it("reading rows to settle is a search for each row", () => {
    expect(plan(SELECT_CLAIMED_ROWS)).toContain("SEARCH delivery USING INTEGER PRIMARY KEY (rowid=?)");
  });

  it("a page of lanes is a scan of lanes, with searches in each for what is due first and was tried first", () => {
    expect(plan(SELECT_LANE_PAGE)).toContain("SEARCH l USING PRIMARY KEY (lane>?)");
    expect(plan(SELECT_LANE_PAGE)).toContain("delivery_due (lane=? AND <expr>=? AND due_at>?)");
    expect(plan(SELECT_LANE_PAGE)).toContain("delivery_tried (lane=? AND first_attempt_at>?)");
    expect(plan(SELECT_LANE_PAGE)).not.toContain("TEMP B-TREE");
  });

  it("ending is a search by first attempt, or a scan of the index range of a lane", () => {
    expect(plan(SELECT_BY_FIRST_ATTEMPT)).toContain(
      "SEARCH d USING INDEX delivery_tried (lane=? AND first_attempt_at<?)",
    );
    expect(plan(SELECT_BY_ACCEPTED_AT)).toContain(
      "USING COVERING INDEX delivery_standing (lane=? AND state=? AND replayed=?)",
    );
    expect(plan(SELECT_BY_ACCEPTED_AT)).not.toMatch(/SCAN (d|delivery|m|message)\b/);
  });

  it("pulling in is a search of the due times of one lane and one kind", () => {
    expect(plan(UPDATE_DUE_AT)).toContain("delivery_due (lane=? AND <expr>=? AND due_at>?)");
  });

  it("the check for unpurged requests is a search of an index that is mostly empty", () => {
    expect(plan(SELECT_UNPURGED)).toBe("SCAN deletion USING COVERING INDEX deletion_unpurged");
  });

  it("a slice of a purge is a scan of deliveries from the end of the last one", () => {
    expect(plan(SELECT_PURGE_SLICE)).toContain("SEARCH d USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
    expect(plan(SELECT_PURGE_SLICE)).not.toContain("TEMP B-TREE");
    expect(plan(SELECT_DELIVERIES_OF_MESSAGE)).toContain("SEARCH d USING INDEX delivery_message (message=?)");
  });

  it("a page of requests is a backward scan from the last one shown", () => {
    expect(plan(SELECT_DELETIONS)).toBe("SEARCH deletion USING INTEGER PRIMARY KEY (rowid<?)");
    expect(plan(SELECT_UNFINISHED_DELETIONS)).toBe("SEARCH deletion USING INDEX deletion_unfinished (row<?)");
  });

  it("sweeping is a search of finished times, in their order", () => {
    expect(plan(SELECT_SWEEPABLE)).toContain("SEARCH d USING INDEX delivery_finished (state=? AND finished_at<?)");
    expect(plan(SELECT_SWEEPABLE)).not.toContain("TEMP B-TREE");
  });

  it("a list by destination and state is a backward scan of one range of their index", () => {
    const [sql = ""] = questions({ destination: "crm" as never, states: ["dead"], notReplayed: true, limit: 10 });
    expect(plan(sql)).toContain("delivery_standing (lane=? AND state=? AND replayed=? AND id>? AND id<?)");
    expect(plan(sql)).not.toContain("TEMP B-TREE");
  });

  it("a list by message id is a search for each message with that id, then for its deliveries", () => {
    const [sql = ""] = questions((watched) => findOfMessages(watched, [1], { messageId: "1", limit: 10 }, PAGE));
    expect(plan(sql)).toContain("SEARCH m USING INTEGER PRIMARY KEY (rowid=?)");
    expect(plan(sql)).toContain("SEARCH d USING COVERING INDEX delivery_message (message=?");
  });

  it("looking for changes on the board is a search from the last one known, in their order", () => {
    expect(plan(SELECT_CHANGED)).toBe("SEARCH board_row USING INDEX board_row_changed (changed>?)");
    expect(plan(SELECT_LAST_CHANGE)).toContain("SEARCH board_row USING COVERING INDEX board_row_changed");
  });

  it("looking for a record above a revision is a search of its key, and of its text only if there is one", () => {
    expect(plan(FIND_RECORD)).toBe(
      "SEARCH r USING PRIMARY KEY (kind=? AND key=?)\nSEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
    );
  });

  it("a list of records is a search of their keys, with a tag and without, in their order", () => {
    const texts = "\nSEARCH t USING INTEGER PRIMARY KEY (rowid=?)";
    expect(plan(LIST_RECORDS)).toBe(`SEARCH r USING PRIMARY KEY (kind=? AND key>?)${texts}`);
    expect(plan(LIST_TAGGED_RECORDS)).toBe(`SEARCH r USING INDEX record_tag (kind=? AND tag=? AND key>?)${texts}`);
  });

  it("a list of everything is a backward scan from the cursor", () => {
    const [sql = ""] = questions({ limit: 10 });
    expect(plan(sql)).toContain("SEARCH d USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
    expect(plan(sql)).not.toContain("TEMP B-TREE");
  });
});
